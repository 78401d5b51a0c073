import { classNames } from '../../lib/class-names.ts';

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
