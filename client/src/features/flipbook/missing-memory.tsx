import { Button } from '../../ui/buttons/button.tsx';
import { MEMORY_NOT_LOADED } from '../memories/memory-text.ts';
import type { LoadedMemory } from '../memories/store/memory-store.ts';

/** Shown instead of a memory that was deleted or could not be loaded. */
export function MissingMemory({ memory }: { memory: Exclude<LoadedMemory, 'loading'> }) {
  if (memory === null || !('retry' in memory))
    return <p className="text-muted">This memory is no longer available.</p>;
  return (
    <>
      <p className="text-muted">{MEMORY_NOT_LOADED}</p>
      <Button variant="secondary" onClick={memory.retry}>
        Try again
      </Button>
    </>
  );
}
