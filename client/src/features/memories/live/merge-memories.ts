import type { Memory } from '#shared/memory';
import type { Page } from '../../../lib/api-client.ts';

/** As an infinite query holds them, newest first. */
type Pages = readonly Page<Memory[]>[];

/**
 * A list in which some memories are as they are now: those that are not (any more) among its own leave it, and new
 * ones come in at their place; those that belong behind its last page come with the pages after it.
 * @param changed the ids of all that may have changed
 * @param members those of them that belong to the list
 */
export function mergeMemories(pages: Pages, changed: string[], members: Memory[]): Page<Memory[]>[] {
  const now = new Map(members.map((memory) => [memory.id, memory]));
  const kept = pages.map((page) => ({
    ...page,
    items: page.items
      .filter(({ id }) => now.has(id) || !changed.includes(id))
      .map((memory) => now.get(memory.id) ?? memory),
  }));
  const listed = new Set(kept.flatMap(({ items }) => items.map(({ id }) => id)));
  return members.filter(({ id }) => !listed.has(id)).reduce(withNew, kept);
}

function withNew(pages: Page<Memory[]>[], memory: Memory): Page<Memory[]>[] {
  const placeIn = ({ items }: Page<Memory[]>) => items.findIndex((each) => isOlder(each, memory));
  const older = pages.findIndex((page) => placeIn(page) >= 0);
  const isLast = older < 0 && pages.at(-1)?.next === null;
  const home = isLast ? pages.length - 1 : older;
  return pages.map((page, index) => {
    if (index !== home) return page;
    return { ...page, items: page.items.toSpliced(isLast ? page.items.length : placeIn(page), 0, memory) };
  });
}

/** As the server orders them: by when they were added, then by id. */
function isOlder(a: Memory, b: Memory): boolean {
  return a.createdAt === b.createdAt ? a.id < b.id : a.createdAt < b.createdAt;
}
