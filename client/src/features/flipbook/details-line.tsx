import type { Memory } from '#shared/album/memory';
import { classNames } from '../../lib/class-names.ts';
import { whenText } from '../memories/memory-text.ts';

/** The date and the tags, which may have different text directions. */
export function DetailsLine({ memory, className }: { memory: Memory; className?: string }) {
  return (
    <p className={classNames('wrap-anywhere text-muted', className)}>
      <span className="whitespace-nowrap tabular-nums">{whenText(memory)}</span>
      {memory.tags.map((tag, index) => (
        <span key={index}>
          <span aria-hidden> · </span>
          <bdi>{tag}</bdi>
        </span>
      ))}
    </p>
  );
}
