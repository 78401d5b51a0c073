import { classNames } from '../../lib/class-names.ts';

interface TagLineProps {
  tags: readonly string[];
  className?: string;
}

/** A memory's tags, each running its own way; nothing where there are none. */
export function TagLine({ tags, className }: TagLineProps) {
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
