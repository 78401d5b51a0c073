import type { BulkEditRequest } from '#shared/bulk-edit';
import type { DeletedMemory, Memory } from '#shared/memory';

type BulkEdit = BulkEditRequest['edits'][number];

/** A fake memory API for `fetch`. */
export class MemoryServer {
  memories: Memory[];
  deleted: DeletedMemory[] = [];
  /** 'METHOD /path?query' */
  readonly requests: string[] = [];
  /** Makes the next request other than GET fail. */
  isFailing = false;
  /** Called with the id of each changed memory, like the server's events. */
  onChange: (id: string) => void = () => {};

  constructor(memories: Memory[]) {
    this.memories = memories;
  }

  readonly fetch = (path: string, { method = 'GET', body }: { method?: string; body?: string } = {}) => {
    this.requests.push(`${method} ${path}`);
    const url = new URL(path, 'http://localhost');
    if (method === 'GET') return Promise.resolve(this.#read(url));
    if (this.isFailing) {
      this.isFailing = false;
      return Promise.resolve(Response.json({ message: 'No' }, { status: 500 }));
    }
    return Promise.resolve(this.#write(method, url.pathname, body));
  };

  edit(id: string, changes: Partial<Memory>): Memory {
    this.memories = this.memories.map((memory) => (memory.id === id ? { ...memory, ...changes } : memory));
    this.onChange(id);
    return this.memories.find((memory) => memory.id === id)!;
  }

  create(memory: Memory): void {
    this.memories = [memory, ...this.memories];
    this.onChange(memory.id);
  }

  delete(id: string): void {
    const memory = this.memories.find((each) => each.id === id);
    if (!memory) return;
    this.memories = this.memories.filter((each) => each.id !== id);
    this.deleted = [{ ...memory, deletedAt: '2026-05-01T10:00:00.000Z' }, ...this.deleted];
    this.onChange(id);
  }

  restore(id: string): Memory {
    const { deletedAt: _, ...memory } = this.deleted.find((each) => each.id === id)!;
    this.deleted = this.deleted.filter((each) => each.id !== id);
    this.memories = newestFirst([...this.memories, memory]);
    this.onChange(id);
    return memory;
  }

  /** The memories of a list or a search. */
  list({ petId, q, ids, order }: Partial<Record<'petId' | 'q' | 'ids' | 'order', string>>): Memory[] {
    const found = this.memories.filter(
      (memory) =>
        (!petId || memory.petId === petId) &&
        (!q || (memory.caption ?? '').includes(q)) &&
        (ids === undefined || ids.split(',').includes(memory.id)),
    );
    return order === 'taken' ? found.toSorted((a, b) => (takenAt(a) < takenAt(b) ? 1 : -1)) : found;
  }

  #read({ pathname, searchParams }: URL): Response {
    const query = Object.fromEntries(searchParams);
    switch (pathname) {
      case '/api/memories/deleted':
        return Response.json(this.deleted);
      case '/api/memories/ids':
        return Response.json(this.list(query).map(({ id }) => id));
      case '/api/memories/stats': {
        const total = this.list(query).length;
        return Response.json({ total, thisMonth: 0, daysActive: 0 });
      }
      case '/api/memories/months':
        return Response.json(this.#months(query));
      default:
        return this.#page(this.list(query), query);
    }
  }

  /** A month's cursor sorts after all of its memories. */
  #page(memories: Memory[], { cursor, limit = '1000', ...query }: Record<string, string>): Response {
    const placeOf = (memory: Memory) => `${dateIn(query, memory)} ${memory.id}`;
    const after = cursor ? memories.filter((memory) => placeOf(memory) < cursor) : memories;
    const page = after.slice(0, Number(limit));
    const last = page.at(-1);
    if (after.length === page.length || !last) return Response.json(page);
    const next = new URLSearchParams({ ...query, limit, cursor: placeOf(last) });
    return Response.json(page, { headers: { Link: `</api/memories?${next}>; rel="next"` } });
  }

  #months(query: { order?: string }) {
    const months = this.list(query).map((memory) => dateIn(query, memory).slice(0, 7));
    return [...new Set(months)].map((month) => ({
      month,
      count: months.filter((each) => each === month).length,
      cursor: `${month}-32`,
    }));
  }

  #write(method: string, path: string, body: string | undefined): Response {
    const { edits, ids = [] } = JSON.parse(body ?? '{}') as { edits?: BulkEdit[]; ids?: string[] };
    if (edits)
      return Response.json({
        memories: edits.flatMap(({ ids, ...changes }) =>
          ids.map((id) => this.edit(id, changes as Partial<Memory>)),
        ),
        undo: [],
      });
    if (path === '/api/memories/deleted' || path === '/api/memories/deleted/restore') {
      for (const id of ids)
        if (path.endsWith('restore')) this.restore(id);
        else this.delete(id);
      return new Response(null, { status: 204 });
    }
    const id = path.split('/')[3] ?? '';
    if (method === 'PATCH') return Response.json(this.edit(id, JSON.parse(body ?? '{}') as Partial<Memory>));
    if (method === 'POST') return Response.json(this.restore(id));
    this.delete(id);
    return new Response(null, { status: 204 });
  }
}

const dateIn = ({ order }: { order?: string }, memory: Memory) =>
  order === 'taken' ? takenAt(memory) : memory.createdAt;

const takenAt = ({ memoryDate, createdAt }: Memory) => memoryDate ?? createdAt;

function newestFirst(memories: Memory[]): Memory[] {
  return memories.toSorted((a, b) => (a.createdAt < b.createdAt ? 1 : -1));
}
