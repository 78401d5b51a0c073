import {
  findFault,
  isIgnored,
  toKey,
  type ChosenFile,
  type PhotoState,
  type QueuedPhoto,
} from './queued-photo.ts';
import type { UploadQueue } from './upload-queue.ts';

export interface PhotoCounts {
  counts: Record<PhotoState, number>;
  total: number;
  /** Waiting photos whose files must be chosen again. */
  missingFiles: number;
  /** The same array until a photo changes. */
  photos: readonly QueuedPhoto[];
}

/** The queue in this tab's memory, with the files, which the browser does not store. */
export class PhotoStore {
  readonly #ownerId: string;
  readonly #queue: UploadQueue;
  readonly #onChange: () => void;
  readonly #photos = new Map<number, QueuedPhoto>();
  readonly #idsByKey = new Map<string, number>();
  readonly #files = new Map<number, ChosenFile>();

  constructor(ownerId: string, queue: UploadQueue, onChange: () => void) {
    this.#ownerId = ownerId;
    this.#queue = queue;
    this.#onChange = onChange;
  }

  /** Another tab may have changed it. */
  async read(): Promise<void> {
    for (const photo of await this.#queue.list()) this.#set(photo);
  }

  get(id: number): QueuedPhoto | undefined {
    return this.#photos.get(id);
  }

  fileOf(id: number): ChosenFile | undefined {
    return this.#files.get(id);
  }

  filter(isWanted: (photo: QueuedPhoto) => boolean): QueuedPhoto[] {
    return [...this.#photos.values()].filter(isWanted);
  }

  /** At most `size` photos that can be sent. */
  nextGroup(size: number, taken: ReadonlySet<number> = new Set()): QueuedPhoto[] {
    const group: QueuedPhoto[] = [];
    for (const photo of this.#photos.values()) {
      if (group.length === size) break;
      if (photo.state === 'waiting' && this.#files.has(photo.id) && !taken.has(photo.id)) group.push(photo);
    }
    return group;
  }

  count(): PhotoCounts {
    const counts = { waiting: 0, added: 0, 'in-album': 0, 'in-trash': 0, failed: 0 };
    let missingFiles = 0;
    for (const { id, state } of this.#photos.values()) {
      counts[state]++;
      if (state === 'waiting' && !this.#files.has(id)) missingFiles++;
    }
    return { counts, total: this.#photos.size, missingFiles, photos: [...this.#photos.values()] };
  }

  async update(changed: QueuedPhoto[]): Promise<void> {
    for (const photo of changed) {
      this.#photos.set(photo.id, photo);
      if (photo.state !== 'waiting' && photo.state !== 'failed') this.#files.delete(photo.id);
    }
    this.#onChange();
    await this.#queue.update(changed);
  }

  async change(id: number, changes: Partial<QueuedPhoto>): Promise<void> {
    const photo = this.#photos.get(id);
    // It was forgotten meanwhile.
    if (photo) await this.update([{ ...photo, ...changes }]);
  }

  async failUnreadable(id: number, reason: string): Promise<void> {
    this.#files.delete(id);
    await this.change(id, { state: 'failed', reason, canRetry: true });
  }

  /** Those that are in the queue already get their bytes, and are not added again. */
  async add(chosen: ChosenFile[]): Promise<void> {
    const added: { photo: Omit<QueuedPhoto, 'id'>; file: ChosenFile }[] = [];
    const again: QueuedPhoto[] = [];
    const keys = new Set<string>();
    for (const file of chosen) {
      if (isIgnored(file)) continue;
      const key = toKey(file);
      const known = this.#photos.get(this.#idsByKey.get(key) ?? NaN);
      if (known?.state === 'waiting') this.#files.set(known.id, file);
      if (known?.state === 'failed' && (known.canRetry || known.isAlbumFull)) {
        this.#files.set(known.id, file);
        again.push({ ...known, state: 'waiting', reason: null, isAlbumFull: false });
      }
      if (known || keys.has(key)) continue;
      keys.add(key);
      added.push({ photo: toNewPhoto(this.#ownerId, file), file });
    }
    if (again.length > 0) await this.update(again);
    const stored = await this.#queue.add(added.map(({ photo }) => photo));
    for (const [index, photo] of stored.entries()) {
      this.#set(photo);
      if (photo.state === 'waiting') this.#files.set(photo.id, added[index]!.file);
    }
    this.#onChange();
  }

  async clear(): Promise<void> {
    this.#photos.clear();
    this.#idsByKey.clear();
    this.#files.clear();
    await this.#queue.clear();
  }

  #set(photo: QueuedPhoto): void {
    this.#photos.set(photo.id, photo);
    this.#idsByKey.set(toKey(photo), photo.id);
  }
}

function toNewPhoto(ownerId: string, file: ChosenFile): Omit<QueuedPhoto, 'id'> {
  const { path, size, lastModified, details = {} } = file;
  const reason = findFault(file);
  return {
    ownerId,
    path,
    size,
    lastModified,
    state: reason === null ? 'waiting' : 'failed',
    reason,
    details,
    sha256: null,
    uploadURL: null,
    memoryId: null,
    imageUrl: null,
    hasDate: true,
    canRetry: false,
  };
}
