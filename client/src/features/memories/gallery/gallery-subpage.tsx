import { ArrowLeft } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { classNames } from '../../../lib/class-names.ts';
import { paths } from '../../../lib/routing/paths.ts';
import { usePageTitle } from '../../../lib/routing/use-page-title.ts';

interface GallerySubpageProps {
  title: string;
  text: string;
  className: string;
  children: ReactNode;
}

/** A page with a way back to the gallery. */
export function GallerySubpage({ title, text, className, children }: GallerySubpageProps) {
  usePageTitle(title);
  return (
    <div className={classNames('mx-auto px-5 pt-5 pb-24 sm:px-8 sm:pt-8', className)}>
      <Link
        href={paths.gallery}
        className="inline-flex min-h-11 items-center gap-2 text-muted hover:text-ink"
      >
        <ArrowLeft className="size-4" />
        Mems Gallery
      </Link>
      <h1 tabIndex={-1} className="text-display outline-none">
        {title}
      </h1>
      <p className="mt-3 mb-8 max-w-2xl text-muted sm:mb-10">{text}</p>
      {children}
    </div>
  );
}
