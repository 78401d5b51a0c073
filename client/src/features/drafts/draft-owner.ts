const OWNER_KEY = 'drafts-of';

let owner: string | null = null;

/** Drafts stay in a tab when the session ends elsewhere. Before another user sees the pages, they are discarded. */
export async function claimDrafts(userId: string): Promise<void> {
  const before = owner ?? readOwner();
  if (before === userId) return;
  if (before !== null) (await import('./form-drafts.tsx')).discardAllDrafts();
  owner = userId;
  writeOwner(userId);
}

function readOwner(): string | null {
  try {
    return sessionStorage.getItem(OWNER_KEY);
  } catch {
    return null;
  }
}

/** If storage is switched off, drafts last until the page is closed, and so does this. */
function writeOwner(userId: string): void {
  try {
    sessionStorage.setItem(OWNER_KEY, userId);
  } catch {
    return;
  }
}
