import type * as z from 'zod/mini';
import type { BulkEditRequest, BulkEditResult } from '#shared/album/bulk-edit';
import type {
  DeletedMemory,
  FeaturedMemory,
  Memory,
  MemoryMonthList,
  MemoryPetCounts,
  MemoryStats,
  UpdateMemoryRequest,
} from '#shared/album/memory';
import { anniversariesOf, joinMemoryDate, splitMemoryDate } from '#shared/dates/calendar-date';
import { findById, notFound } from './items.ts';

type Query = Partial<Record<'petId' | 'q' | 'ids' | 'order' | 'isLiked', string>>;
type BulkEdit = z.output<typeof BulkEditRequest>['edits'][number];
type Changes = z.output<typeof UpdateMemoryRequest> & Pick<BulkEdit, 'addTags' | 'removeTags' | 'dateSource'>;

/** The memories of the fake server, newest first, and its trash. */
export class MemoryAlbum {
  memories: Memory[];
  deleted: DeletedMemory[] = [];
  /** From the home page. */
  dismissed = new Set<string>();
  deletedAt = '2026-05-01T10:00:00.000Z';
  /** Called with the id of each changed memory, like the server's events. */
  onChange: (id: string) => void = () => {};
  petName: (petId: string) => string = () => '';

  constructor(memories: Memory[] = []) {
    this.memories = memories;
  }

  edit(id: string, changes: Partial<Memory>): Memory {
    const edited = { ...findById(this.memories, id), ...changes };
    this.memories = this.memories.map((memory) => (memory.id === id ? edited : memory));
    this.onChange(id);
    return edited;
  }

  create(memory: Memory): void {
    this.memories = [memory, ...this.memories];
    this.onChange(memory.id);
  }

  /** Into the trash. */
  delete(id: string): void {
    if (this.deleted.some((each) => each.id === id)) return;
    const memory = findById(this.memories, id);
    this.memories = this.memories.filter((each) => each !== memory);
    this.deleted = [{ ...memory, deletedAt: this.deletedAt }, ...this.deleted];
    this.onChange(id);
  }

  deleteForGood(id: string): void {
    const memory = findById(this.deleted, id);
    this.deleted = this.deleted.filter((each) => each !== memory);
  }

  restore(id: string): Memory {
    const present = this.memories.find((each) => each.id === id);
    if (present) return present;
    const { deletedAt: _, ...memory } = findById(this.deleted, id);
    this.deleted = this.deleted.filter((each) => each.id !== id);
    this.memories = newestFirst([...this.memories, memory]);
    this.onChange(id);
    return memory;
  }

  /** @throws FakeError unless all are in the album or its trash */
  expectAll(ids: readonly string[]): void {
    for (const id of ids) findById([...this.memories, ...this.deleted], id);
  }

  change(id: string, changes: Changes): Memory {
    return this.edit(id, changesOf(findById(this.memories, id), changes));
  }

  changeMany({ edits, ignoresMissing = false }: z.output<typeof BulkEditRequest>): BulkEditResult {
    const isMissing = (id: string) => !this.memories.some((memory) => memory.id === id);
    if (!ignoresMissing && edits.some(({ ids }) => ids.some(isMissing))) throw notFound();
    const present = edits.flatMap(({ ids, ...edit }) =>
      ids.flatMap((id) => (isMissing(id) ? [] : { edit, memory: findById(this.memories, id) })),
    );
    const undo = present.map(({ edit, memory }) => ({ ids: [memory.id], ...undoOf(edit, memory) }));
    return { memories: present.map(({ edit, memory }) => this.change(memory.id, edit)), undo };
  }

  /** The memories of a list or a search. */
  list({ petId, q, ids, order, isLiked }: Query): Memory[] {
    const found = this.memories.filter(
      (memory) =>
        (!petId || memory.petId === petId) &&
        (!isLiked || memory.isLiked) &&
        (!q || this.#hasWords(memory, q)) &&
        (ids === undefined || ids.split(',').includes(memory.id)),
    );
    return order === 'taken' ? found.toSorted((a, b) => (takenAt(a) < takenAt(b) ? 1 : -1)) : found;
  }

  /** A month's cursor sorts after all of its memories. */
  page({ cursor, limit = '1000', ...query }: Query & { cursor?: string; limit?: string }) {
    const sortKeyOf = (memory: Memory) => `${dateIn(query, memory)} ${memory.id}`;
    const found = this.list(query);
    const after = cursor ? found.filter((memory) => sortKeyOf(memory) < cursor) : found;
    const memories = after.slice(0, Number(limit));
    const last = memories.at(-1);
    return { memories, next: last && memories.length < after.length ? sortKeyOf(last) : null };
  }

  months(query: Query): MemoryMonthList {
    const months = this.list(query).map((memory) => dateIn(query, memory).slice(0, 7));
    return [...new Set(months)].map((month) => ({
      month,
      count: months.filter((each) => each === month).length,
      cursor: `${month}-32`,
    }));
  }

  petCounts(): MemoryPetCounts {
    const counts = new Map<string, MemoryPetCounts[number]>();
    // The newest first.
    for (const { petId, imageUrl: newestImageUrl } of this.list({})) {
      if (!petId) continue;
      const before = counts.get(petId) ?? { petId, count: 0, newestImageUrl };
      counts.set(petId, { ...before, count: before.count + 1 });
    }
    return [...counts.values()];
  }

  /** Like the server: of this day in an earlier year, else loved, else the newest. */
  featured(now: string): FeaturedMemory | null {
    const today = now.slice(0, 10);
    const candidates = this.memories.filter(({ id }) => !this.dismissed.has(id));
    const dated = candidates
      .filter(({ memoryDate }) => anniversariesOf(today).includes(memoryDate?.slice(0, 10) ?? ''))
      .toSorted((a, b) => ((a.memoryDate ?? '') < (b.memoryDate ?? '') ? 1 : -1))[0];
    const yearsAgo = dated && Number(today.slice(0, 4)) - Number(dated.memoryDate?.slice(0, 4));
    if (dated) return { reason: 'on-this-day', yearsAgo: yearsAgo ?? null, memory: dated };
    const loved = candidates.find(({ isLiked }) => isLiked);
    if (loved) return { reason: 'loved', yearsAgo: null, memory: loved };
    const [newest] = candidates;
    return newest ? { reason: 'recent', yearsAgo: null, memory: newest } : null;
  }

  stats(query: Query, now: string): MemoryStats {
    const days = this.list(query).map(({ createdAt }) => createdAt.slice(0, 10));
    return {
      total: days.length,
      thisMonth: days.filter((day) => day.startsWith(now.slice(0, 7))).length,
      daysActive: new Set(days).size,
    };
  }

  #hasWords({ caption, tags, petId }: Memory, q: string): boolean {
    const text = [caption ?? '', ...tags, petId ? this.petName(petId) : ''].join(' ').toLowerCase();
    return q
      .toLowerCase()
      .split(/\s+/)
      .every((word) => text.includes(word));
  }
}

/** Empty texts clear a field, absent ones leave it alone. */
function changesOf(memory: Memory, changes: Changes): Partial<Memory> {
  const { isLiked, caption, tags, petId, memoryDate, memoryTime, addTags = [], removeTags = [] } = changes;
  const { day, time } = splitMemoryDate(memory.memoryDate ?? '');
  const isDayOnly = memoryDate && !memoryDate.includes('T');
  const keptTime = memoryTime === null ? null : time;
  return {
    ...(isLiked !== undefined && { isLiked }),
    ...(caption !== undefined && { caption: caption || null }),
    ...(petId !== undefined && { petId: petId || null }),
    tags: [...new Set([...(tags ?? memory.tags), ...addTags])].filter((tag) => !removeTags.includes(tag)),
    ...(memoryTime === null && memory.memoryDate && { memoryDate: day }),
    ...(memoryDate !== undefined && {
      memoryDate: (isDayOnly ? joinMemoryDate(memoryDate, keptTime) : memoryDate) || null,
      dateSource: memoryDate ? (changes.dateSource ?? 'person') : null,
    }),
  };
}

function undoOf({ petId, memoryDate, addTags = [], removeTags = [] }: Changes, memory: Memory) {
  const added = addTags.filter((tag) => !memory.tags.includes(tag));
  const removed = removeTags.filter((tag) => memory.tags.includes(tag));
  return {
    ...(petId !== undefined && { petId: memory.petId }),
    ...(memoryDate !== undefined && {
      memoryDate: memory.memoryDate,
      dateSource: memory.dateSource,
      ...(!memory.memoryDate?.includes('T') && { memoryTime: null }),
    }),
    ...(added.length > 0 && { removeTags: added }),
    ...(removed.length > 0 && { addTags: removed }),
  };
}

const dateIn = ({ order }: { order?: string }, memory: Memory) =>
  order === 'taken' ? takenAt(memory) : memory.createdAt;

const takenAt = ({ memoryDate, createdAt }: Memory) => memoryDate ?? createdAt;

function newestFirst(memories: Memory[]): Memory[] {
  const sortKey = ({ createdAt, id }: Memory) => `${createdAt} ${id}`;
  return memories.toSorted((a, b) => (sortKey(a) < sortKey(b) ? 1 : -1));
}
