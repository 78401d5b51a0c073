import { classNames } from '../../lib/class-names.ts';
import { Button } from '../../ui/button.tsx';
import type { LoadedMemory } from '../memories/store/memory-store.ts';

/** Tags may have different text directions. */
export function TagLine({ tags, className }: { tags: readonly string[]; className?: string }) {
  if (tags.length === 0) return null;
  return (
    <p className={classNames('wrap-anywhere text-muted', className)}>
      {tags.map((tag, index) => (
        <span key={index}>
          {index > 0 && <span aria-hidden> · </span>}
          <bdi>{tag}</bdi>
        </span>
      ))}
    </p>
  );
}

/** Shown instead of a memory that was deleted or could not be loaded. */
export function MissingMemory({ memory }: { memory: Exclude<LoadedMemory, 'loading'> }) {
  if (memory === null || !('retry' in memory))
    return <p className="text-muted">This memory is no longer available.</p>;
  return (
    <>
      <p className="text-muted">This memory could not be loaded.</p>
      <Button variant="secondary" onClick={memory.retry}>
        Try again
      </Button>
    </>
  );
}
