import { Fragment } from 'react';
import { Link } from 'wouter';
import { tagGalleryPath } from '../../lib/routing/paths.ts';

interface TagLinksProps {
  tags: string[];
  separator: string;
  /** Called before the gallery opens. */
  onFollow?: (() => void) | undefined;
}

/** Each leads to the gallery of its memories. */
export function TagLinks({ tags, separator, onFollow }: TagLinksProps) {
  return tags.map((tag, index) => (
    <Fragment key={index}>
      {index > 0 && separator}
      <Link
        href={tagGalleryPath(tag)}
        onClick={onFollow}
        className="py-1 decoration-edge underline-offset-4 hover:text-accent hover:underline pointer-coarse:inline-flex pointer-coarse:min-h-11 pointer-coarse:min-w-11 pointer-coarse:items-center pointer-coarse:justify-center"
      >
        {tag}
      </Link>
    </Fragment>
  ));
}
