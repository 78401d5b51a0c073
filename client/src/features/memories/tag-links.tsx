import { Fragment } from 'react';
import { Link } from 'wouter';
import { tagGalleryPath } from '../../lib/routing/paths.ts';

interface TagLinksProps {
  tags: string[];
  separator: string;
  /** Called before the gallery opens. */
  onFollow?: (() => void) | undefined;
}

/** Each leads to the gallery of its memories. Padding and negative margins enlarge what a finger hits, not the text. */
export function TagLinks({ tags, separator, onFollow }: TagLinksProps) {
  return tags.map((tag, index) => (
    <Fragment key={index}>
      {index > 0 && separator}
      <Link
        href={tagGalleryPath(tag)}
        onClick={onFollow}
        className="py-1 decoration-edge underline-offset-4 hover:text-accent hover:underline pointer-coarse:-mx-2 pointer-coarse:px-2 pointer-coarse:py-[calc((2.75rem-1.2em)/2)] pointer-coarse:leading-9"
      >
        {tag}
      </Link>
    </Fragment>
  ));
}
