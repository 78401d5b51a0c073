import { openDB, type DBSchema, type IDBPDatabase } from 'idb';

/* Photos from a phone's share sheet, with their bytes: a page cannot read them from the phone again. The service worker stores them. */

const DATABASE = 'share-target';
const MAX_AGE_MS = 24 * 60 * 60 * 1000;
/** Of one account, without an answer: other sites can post here, too. */
export const MAX_WAITING_PHOTOS = 300;
export const MAX_WAITING_BYTES = 1024 ** 3;

export interface ReceivedPhoto {
  id: number;
  /** The same for all photos of one share: each share is asked about on its own. */
  shareId: string;
  /** The account that was signed in then, or that accepted them; null without one. No other account sees them. */
  ownerId: string | null;
  /** Its owner said that it is to be added. Other sites can post here, too, so nothing is added without that. */
  isAccepted: boolean;
  /** The server's first answer after the share named the owner, too: the session had not ended before. */
  isConfirmed: boolean;
  /** Accepted, but its album had no room for it: its owner sends it again, or discards it. */
  isAlbumFull: boolean;
  receivedAt: number;
  file: File;
}

/** A File that was stored comes back without its name in some browsers. */
interface StoredPhoto extends Omit<ReceivedPhoto, 'file' | 'shareId' | 'isAlbumFull'> {
  /** Absent in rows of earlier versions. */
  shareId?: string;
  isAlbumFull?: boolean;
  bytes: Blob;
  name: string;
  lastModified: number;
}

interface ReceivedSchema extends DBSchema {
  photos: { key: number; value: StoredPhoto };
  /** The account that is signed in, for the service worker, which cannot ask the server offline. */
  account: { key: 'current'; value: string };
}

/**
 * All of them, or none if the browser has no room, or too many wait already.
 * @param shareId unique
 */
export async function storeReceived(
  files: File[],
  shareId: string,
  now = Date.now(),
): Promise<'stored' | 'too-many-wait'> {
  return withDatabase(async (db) => {
    const transaction = db.transaction(['photos', 'account'], 'readwrite');
    const ownerId = (await transaction.objectStore('account').get('current')) ?? null;
    const photos = transaction.objectStore('photos');
    const waiting = (await photos.getAll()).filter(
      (photo) => photo.ownerId === ownerId && !photo.isAccepted && !isOld(photo, now),
    );
    const bytes = [...waiting.map((photo) => photo.bytes), ...files].reduce((sum, { size }) => sum + size, 0);
    if (waiting.length + files.length > MAX_WAITING_PHOTOS || bytes > MAX_WAITING_BYTES) {
      return 'too-many-wait';
    }
    const added = files.map((file) => {
      const { name, lastModified } = file;
      const photo: Omit<StoredPhoto, 'id'> = {
        shareId,
        ownerId,
        isAccepted: false,
        isConfirmed: false,
        receivedAt: now,
        bytes: file,
        name,
        lastModified,
      };
      // The store gives the id.
      return photos.add(photo as StoredPhoto);
    });
    await Promise.all([...added, transaction.done]);
    return 'stored';
  });
}

/** Those that an account may see: its own and those without an owner, unless they have expired. */
export async function listReceived(ownerId: string | null, now = Date.now()): Promise<ReceivedPhoto[]> {
  await purgeOldReceived(now);
  return withDatabase(async (db) => {
    const all = await db.getAll('photos');
    return all.filter((photo) => photo.ownerId === null || photo.ownerId === ownerId).map(toReceived);
  });
}

/** Of all accounts, unless they are to be added. */
export async function purgeOldReceived(now = Date.now()): Promise<void> {
  await withDatabase(async (db) => {
    const { store, done } = db.transaction('photos', 'readwrite');
    const old = (await store.getAll()).filter((photo) => isOld(photo, now));
    await Promise.all([...old.map(({ id }) => store.delete(id)), done]);
  });
}

function isOld({ receivedAt, isAccepted }: StoredPhoto, now: number): boolean {
  return !isAccepted && receivedAt < now - MAX_AGE_MS;
}

function toReceived({ bytes, name, lastModified, ...photo }: StoredPhoto): ReceivedPhoto {
  return {
    ...photo,
    shareId: photo.shareId ?? String(photo.receivedAt),
    isAlbumFull: photo.isAlbumFull ?? false,
    file: new File([bytes], name, { lastModified, type: bytes.type }),
  };
}

/** Those without an answer, by share, the oldest first. */
export function groupByShare(photos: readonly ReceivedPhoto[]): ReceivedPhoto[][] {
  const shares = new Map<string, ReceivedPhoto[]>();
  for (const photo of photos.filter(({ isAccepted }) => !isAccepted)) {
    const share = shares.get(photo.shareId);
    if (share) share.push(photo);
    else shares.set(photo.shareId, [photo]);
  }
  return [...shares.values()];
}

/** Also those that a full album rejected, to send them again. @returns those that were not discarded or taken in another page */
export async function acceptReceived(ids: number[], ownerId: string): Promise<ReceivedPhoto[]> {
  return withDatabase(async (db) => {
    const { store, done } = db.transaction('photos', 'readwrite');
    const accepted: StoredPhoto[] = [];
    for (const id of ids) {
      const photo = await store.get(id);
      if (!photo || (photo.ownerId !== null && photo.ownerId !== ownerId)) continue;
      accepted.push({ ...photo, ownerId, isAccepted: true, isAlbumFull: false });
    }
    await Promise.all([...accepted.map((photo) => store.put(photo)), done]);
    return accepted.map(toReceived);
  });
}

/** They are not sent again until they are accepted once more. */
export async function markAlbumFull(ids: number[]): Promise<void> {
  await withDatabase(async (db) => {
    const { store, done } = db.transaction('photos', 'readwrite');
    const photos = (await Promise.all(ids.map((id) => store.get(id)))).filter((photo) => photo !== undefined);
    await Promise.all([...photos.map((photo) => store.put({ ...photo, isAlbumFull: true })), done]);
  });
}

export async function deleteReceived(ids: number[]): Promise<void> {
  await withDatabase(async (db) => {
    const { store, done } = db.transaction('photos', 'readwrite');
    await Promise.all([...ids.map((id) => store.delete(id)), done]);
  });
}

/**
 * Called on each answer of the server that tells who is signed in. If it is another account than before, photos shared
 * since the last answer lose their owner: the session may have ended before the share, which another person made.
 */
export async function setReceiver(userId: string | null): Promise<void> {
  await withDatabase(async (db) => {
    const transaction = db.transaction(['photos', 'account'], 'readwrite');
    const account = transaction.objectStore('account');
    const photos = transaction.objectStore('photos');
    const unconfirmed = (await photos.getAll()).filter(
      (photo) => photo.ownerId !== null && !photo.isConfirmed,
    );
    const changed = unconfirmed.map((photo) =>
      photo.ownerId === userId
        ? { ...photo, isConfirmed: true }
        : { ...photo, ownerId: null, isAccepted: false },
    );
    await Promise.all([
      ...changed.map((photo) => photos.put(photo)),
      userId === null ? account.delete('current') : account.put(userId, 'current'),
      transaction.done,
    ]);
  });
}

export async function findReceiver(): Promise<string | null> {
  return withDatabase(async (db) => (await db.get('account', 'current')) ?? null);
}

/** On sign-out. Those of other accounts, and those without an owner, stay. */
export async function eraseReceivedOf(userId: string): Promise<void> {
  const photos = await listReceived(userId);
  await deleteReceived(photos.filter(({ ownerId }) => ownerId === userId).map(({ id }) => id));
  if ((await findReceiver()) === userId) await setReceiver(null);
}

async function withDatabase<Result>(
  work: (db: IDBPDatabase<ReceivedSchema>) => Promise<Result>,
): Promise<Result> {
  const db = await openDB<ReceivedSchema>(DATABASE, 1, {
    upgrade(database) {
      database.createObjectStore('photos', { keyPath: 'id', autoIncrement: true });
      database.createObjectStore('account');
    },
  });
  try {
    return await work(db);
  } finally {
    db.close();
  }
}
