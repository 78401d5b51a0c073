import { keep, readKept } from './kept-items.ts';
import { holdInThisTab } from './tab-lock.ts';

/** As long as Golden Retriever keeps the photo. */
const KEPT_MS = 24 * 60 * 60 * 1000;
const PATIENCE_MS = 400;

/** What was written about a photo that is not a memory yet: kept with it, and forgotten with it. */
export interface UploadDraft {
  read: () => unknown;
  /** Null forgets it. */
  write: (words: unknown) => void;
  /** Lets another tab have it. */
  release: () => void;
}

/** One tab at a time has a person's draft, like the photo. @returns null when another tab is writing one */
export async function claimUploadDraft(ownerId: string): Promise<UploadDraft | null> {
  const name = `draft:${ownerId}`;
  const release = await holdInThisTab(name, PATIENCE_MS);
  if (!release) return null;
  return {
    read: () => parseDraft(readKept(name)),
    write: (words) =>
      keep(name, words === null ? null : JSON.stringify({ words, until: Date.now() + KEPT_MS })),
    release,
  };
}

function parseDraft(text: string | null): unknown {
  try {
    const { words, until } = JSON.parse(text ?? '') as { words: unknown; until: number };
    return until > Date.now() ? words : null;
  } catch {
    return null;
  }
}
