import type { Memory } from '#shared/memory';
import type { Page } from '../../../lib/api-client.ts';

/** As an infinite query holds them. */
type Pages<M extends Memory> = readonly Page<M[]>[];

/** Between which memories one stood in a list. */
export interface ListPlace {
  after: string | undefined;
  before: string | undefined;
}

/** Null when it is not in the list. */
export function placeIn<M extends Memory>(pages: Pages<M>, id: string): ListPlace | null {
  const ids = pages.flatMap(({ items }) => items.map((memory) => memory.id));
  const index = ids.indexOf(id);
  return index < 0 ? null : { after: ids[index - 1], before: ids[index + 1] };
}

export function withoutMemory<M extends Memory>(pages: Pages<M>, id: string): Page<M[]>[] {
  return pages.map((page) => ({ ...page, items: page.items.filter((memory) => memory.id !== id) }));
}

/** Beside a neighbor that is still there; in a list that has none of them, at the top. */
export function withMemory<M extends Memory>(pages: Pages<M>, memory: M, place: ListPlace): Page<M[]>[] {
  if (placeIn(pages, memory.id)) return [...pages];
  const insert = (items: M[], index: number) => items.toSpliced(index, 0, memory);
  const indexIn = ({ items }: Page<M[]>) => {
    const after = items.findIndex(({ id }) => id === place.after);
    return after >= 0 ? after + 1 : items.findIndex(({ id }) => id === place.before);
  };
  const home = Math.max(
    0,
    pages.findIndex((page) => indexIn(page) >= 0),
  );
  return pages.map((page, index) =>
    index === home ? { ...page, items: insert(page.items, Math.max(0, indexIn(page))) } : page,
  );
}
