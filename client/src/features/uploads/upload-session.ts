import { readStored, writeStored } from '../../lib/browser/local-storage.ts';
import { eraseGoogleAccessTokens } from './remote/google-access-tokens.ts';

/* An unfinished upload per user: the photo (Uppy's Golden Retriever, in IndexedDB), its upload URL and the form. */

const STORAGE_PREFIX = 'upload-';
/** Golden Retriever's names; it has no option to change them. */
const PHOTO_DATABASE = 'uppy-blobs';
const FALLBACK_PREFIX = 'uppyState:';
/** Uppy's localStorage keys for sign-ins at vendors. */
const SIGN_IN_KEY = /^companion-.+-auth-token$/;
/** Golden Retriever saves changes up to half a second later. */
const SAVING_MS = 600;
/** Longer than SAVING_MS, for which a closed uploader keeps its lock. */
const SESSION_LOCK_TIMEOUT_MS = SAVING_MS + 400;
/** As long as Golden Retriever keeps the photo. */
const DRAFT_MAX_AGE_MS = 24 * 60 * 60 * 1000;

export interface UploadSession {
  /** Uppy's id, under which Golden Retriever stores the photo. */
  id: string;
  /** Another tab has the session: this one stores and restores nothing. */
  isShared: boolean;
  /** The last signed URL, without its signature. */
  storedUploadURL: () => string | null;
  storeUploadURL: (uploadURL: string | null) => void;
  /** Uppy's id of a photo that is a memory now: Golden Retriever may not have removed it yet when the page is left. */
  finishedPhotoId: () => string | null;
  storeFinishedPhotoId: (id: string | null) => void;
  /** Unlocks the session once Golden Retriever has saved its last change. */
  release: () => void;
}

/** One tab at a time holds a user's session, so that two tabs never upload the same photo. */
export async function claimUploadSession(ownerId: string): Promise<UploadSession> {
  const id = `photo-${ownerId}`;
  const release = await lockForThisTab(id, AbortSignal.timeout(SESSION_LOCK_TIMEOUT_MS));
  const uploadURLKey = `${STORAGE_PREFIX}address:${ownerId}`;
  const finishedKey = `${STORAGE_PREFIX}finished:${ownerId}`;
  return {
    id,
    isShared: release === null,
    storedUploadURL: () => (release ? readStored(uploadURLKey) : null),
    storeUploadURL: (uploadURL) => release && writeStored(uploadURLKey, uploadURL),
    finishedPhotoId: () => (release ? readStored(finishedKey) : null),
    storeFinishedPhotoId: (photoId) => release && writeStored(finishedKey, photoId),
    release: () => void setTimeout(() => release?.(), SAVING_MS),
  };
}

/**
 * The form's values; `write(null)` removes them. One tab at a time holds a user's draft: waits for the others.
 * @param signal ends the wait
 * @returns null if the wait was ended
 */
export async function claimUploadDraft(ownerId: string, signal: AbortSignal) {
  const name = `draft:${ownerId}`;
  const key = STORAGE_PREFIX + name;
  const release = await lockForThisTab(name, signal);
  if (!release) return null;
  return {
    read: () => parseDraft(readStored(key)),
    write: (values: unknown) =>
      writeStored(
        key,
        values === null ? null : JSON.stringify({ values, until: Date.now() + DRAFT_MAX_AGE_MS }),
      ),
    release,
  };
}

function parseDraft(text: string | null): unknown {
  try {
    const { values, until } = JSON.parse(text ?? '') as { values: unknown; until: number };
    return until > Date.now() ? values : null;
  } catch {
    return null;
  }
}

/** Erases the sessions and drafts of all users of this browser. */
export async function eraseUploadSessions(): Promise<void> {
  try {
    eraseStored((key) => key.startsWith(STORAGE_PREFIX) || key.startsWith(FALLBACK_PREFIX));
    await deleteDatabase(PHOTO_DATABASE);
  } catch {
    // Storage is switched off: nothing was stored.
  }
}

export function eraseVendorSignIns(): void {
  eraseGoogleAccessTokens();
  try {
    eraseStored((key) => SIGN_IN_KEY.test(key));
  } catch {
    // Storage is switched off: nothing was stored.
  }
}

function eraseStored(isErased: (key: string) => boolean): void {
  for (const key of Object.keys(localStorage)) if (isErased(key)) localStorage.removeItem(key);
}

function deleteDatabase(name: string): Promise<void> {
  return new Promise((resolve) => {
    const request = indexedDB.deleteDatabase(name);
    // Blocked: the browser deletes it when the last tab closes it.
    request.onsuccess = request.onerror = request.onblocked = () => resolve();
  });
}

/** Waits until no other tab has the lock. The browser releases that of a closed or crashed tab. @returns the release; null if `signal` ended the wait */
async function lockForThisTab(name: string, signal: AbortSignal): Promise<(() => void) | null> {
  // No Web Locks on plain http. The server still makes one memory per upload URL.
  if (!('locks' in navigator)) return () => {};
  const request = (options: LockOptions) =>
    new Promise<(() => void) | null>((resolve, reject) => {
      const hold = (lock: Lock | null) => (lock ? new Promise<void>(resolve) : resolve(null));
      navigator.locks.request(name, options, hold).catch(reject);
    });
  return (
    request({ signal })
      // A busy tab may see the signal first although it got the lock: ask who has it now.
      .catch(() => request({ ifAvailable: true }))
      .catch(() => null)
  );
}
