/*
 * What the browser keeps of an upload that was cut off: the photo (by Uppy's Golden Retriever, in IndexedDB) and the
 * address that it was sent to. It belongs to one person and goes when that person logs out.
 */

/** Golden Retriever's own names; it has no way to ask for others. */
const PHOTO_DATABASE = 'uppy-blobs';
const FALLBACK_PREFIX = 'uppyState:';
const ADDRESS_PREFIX = 'upload-address:';
/** Golden Retriever writes down what changed, also that a photo is gone, up to half a second later. */
const SAVING_MS = 600;
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

/**
 * One tab at a time has a person's upload session, so that two never upload the same photo. A tab that was closed or
 * has crashed lets go of it by itself.
 */
export async function claimUploadSession(ownerId: string): Promise<UploadSession> {
  const id = `photo-${ownerId}`;
  const release = await claim(id);
  const key = `${ADDRESS_PREFIX}${ownerId}`;
  return {
    id,
    isShared: release === null,
    address: () => (release ? readItem(key) : null),
    setAddress: (address) => release && writeItem(key, address),
    release: () => void setTimeout(() => release?.(), SAVING_MS),
  };
}

/** Forgets everyone's: whoever logs out leaves no photo behind in this browser. */
export async function eraseUploadSessions(): Promise<void> {
  try {
    for (const key of Object.keys(localStorage)) {
      if (key.startsWith(ADDRESS_PREFIX) || key.startsWith(FALLBACK_PREFIX)) localStorage.removeItem(key);
    }
    await deleteDatabase(PHOTO_DATABASE);
  } catch {
    // Storage that is switched off has kept nothing.
  }
}

/** Without locks (plain http) every tab gets it: then the server alone makes one memory of one address. */
async function claim(name: string): Promise<(() => void) | null> {
  if (!('locks' in navigator)) return () => {};
  return new Promise((resolve) => {
    const holding = (): Promise<void> => new Promise((release) => resolve(release));
    // A moment's patience: an uploader that was just closed still holds it.
    navigator.locks
      .request(name, { signal: AbortSignal.timeout(CLAIM_PATIENCE_MS) }, holding)
      .catch(() => resolve(null));
  });
}

function deleteDatabase(name: string): Promise<void> {
  return new Promise((resolve) => {
    const request = indexedDB.deleteDatabase(name);
    // Blocked: it goes as soon as the last tab that has it open lets go.
    request.onsuccess = request.onerror = request.onblocked = () => resolve();
  });
}

function readItem(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

function writeItem(key: string, value: string | null): void {
  try {
    if (value === null) localStorage.removeItem(key);
    else localStorage.setItem(key, value);
  } catch {
    // Then a session that is cut off cannot be told from one that never began.
  }
}
