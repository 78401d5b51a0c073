import { forgetAllKept, keep, readKept } from './kept-items.ts';
import { holdInThisTab } from './tab-lock.ts';

/*
 * What the browser keeps of an upload that was cut off: the photo (by Uppy's Golden Retriever, in IndexedDB) and the
 * address that it was sent to. It belongs to one person and goes when that person logs out.
 */

/** Golden Retriever's own names; it has no way to ask for others. */
const PHOTO_DATABASE = 'uppy-blobs';
const FALLBACK_PREFIX = 'uppyState:';
/** Golden Retriever writes down what changed, also that a photo is gone, up to half a second later. */
const SAVING_MS = 600;
/** An uploader that was just closed still holds it. */
const CLAIM_PATIENCE_MS = SAVING_MS + 400;

export interface UploadSession {
  /** Under this name Uppy keeps the photo. */
  id: string;
  /** Another tab is choosing a photo already: this one keeps nothing and restores nothing. */
  isShared: boolean;
  /** The last address that was granted, without its signature. */
  address: () => string | null;
  setAddress: (address: string | null) => void;
  /** Lets another uploader have it, as soon as all is written down. */
  release: () => void;
}

/** One tab at a time has a person's upload session, so that two never upload the same photo. */
export async function claimUploadSession(ownerId: string): Promise<UploadSession> {
  const id = `photo-${ownerId}`;
  const release = await holdInThisTab(id, CLAIM_PATIENCE_MS);
  const addressName = `address:${ownerId}`;
  return {
    id,
    isShared: release === null,
    address: () => (release ? readKept(addressName) : null),
    setAddress: (address) => release && keep(addressName, address),
    release: () => void setTimeout(() => release?.(), SAVING_MS),
  };
}

/** Forgets everyone's: whoever logs out leaves no photo and no words behind in this browser. */
export async function eraseUploadSessions(): Promise<void> {
  try {
    forgetAllKept();
    for (const key of Object.keys(localStorage))
      if (key.startsWith(FALLBACK_PREFIX)) localStorage.removeItem(key);
    await deleteDatabase(PHOTO_DATABASE);
  } catch {
    // Storage that is switched off has kept nothing.
  }
}

function deleteDatabase(name: string): Promise<void> {
  return new Promise((resolve) => {
    const request = indexedDB.deleteDatabase(name);
    // Blocked: it goes as soon as the last tab that has it open lets go.
    request.onsuccess = request.onerror = request.onblocked = () => resolve();
  });
}
