import type { Memory } from '#shared/album/memory';
import { FakeServer } from './fake-server/fake-server.ts';
import { emptyState } from './fake-server/state/fake-state.ts';
import { MemoryAlbum } from './fake-server/state/memory-album.ts';
import { somePet } from './some-pet.ts';

/** A fake server of one album, for component tests. */
export class MemoryServer extends MemoryAlbum {
  readonly #server: FakeServer;
  /** Makes the next request other than GET fail. */
  isFailing = false;

  constructor(memories: Memory[]) {
    super(memories);
    const petIds = [...new Set(memories.flatMap(({ petId }) => petId ?? []))];
    const pets = petIds.map((id) => somePet({ id }));
    this.#server = new FakeServer(emptyState({ album: this, pets }));
  }

  get requests(): string[] {
    return this.#server.requests;
  }

  readonly fetch = (path: string, options: { method?: string; body?: string } = {}) => {
    const isRead = (options.method ?? 'GET') === 'GET';
    this.#server.failing = !isRead && this.isFailing ? { calls: /./, status: 500 } : null;
    if (!isRead) this.isFailing = false;
    return this.#server.fetch(path, options);
  };
}
