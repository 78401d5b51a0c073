import type { MemoryChanges } from './details/memory-changes.ts';

/** Whether changes can take a memory into what a path asks for, or out of it. */
export function canMove(path: string, changes: MemoryChanges): boolean {
  const query = queryOf(path);
  if (query.get('q') && ('caption' in changes || 'tags' in changes || 'petId' in changes)) return true;
  return !!query.get('petId') && 'petId' in changes;
}

/** Whether they can take it elsewhere in it. */
export function canReorder(path: string, changes: MemoryChanges): boolean {
  return queryOf(path).get('order') === 'taken' && ('memoryDate' in changes || 'memoryTime' in changes);
}

/** Asks which of some memories are among those that the path of a list asks for. */
export function pathOfSome(path: string, ids: string[]): string {
  const query = queryOf(path);
  query.delete('limit');
  query.set('ids', ids.join(','));
  return `${path.split('?')[0]}?${query}`;
}

function queryOf(path: string): URLSearchParams {
  return new URLSearchParams(path.split('?')[1]);
}
