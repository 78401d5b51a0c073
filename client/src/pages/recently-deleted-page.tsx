import { ArrowLeft } from 'lucide-react';
import { Link } from 'wouter';
import { TRASH_DAYS } from '#shared/memory';
import { EmptyState } from '../features/memories/empty-state.tsx';
import { DeletedMemories } from '../features/memories/trash/deleted-memories.tsx';
import { paths } from '../lib/paths.ts';
import { usePageTitle } from '../lib/use-page-title.ts';
import { buttonClasses } from '../ui/button.tsx';

export function RecentlyDeletedPage() {
  usePageTitle('Recently deleted');
  return (
    <div className="mx-auto max-w-6xl px-5 pt-5 pb-24 sm:px-8 sm:pt-8">
      <Link
        href={paths.gallery}
        className="inline-flex min-h-11 items-center gap-2 text-muted hover:text-ink"
      >
        <ArrowLeft className="size-4" />
        Mems Gallery
      </Link>
      <h1 tabIndex={-1} className="text-display outline-none">
        Recently deleted
      </h1>
      <p className="mt-3 mb-8 max-w-2xl text-muted sm:mb-10">
        Deleted memories are kept here for {TRASH_DAYS} days, in case you want them back. After that they are
        gone for good.
      </p>
      <DeletedMemories
        empty={
          <EmptyState
            title="No deleted memories"
            text="Memories you delete will appear here."
            action={
              <Link href={paths.gallery} className={buttonClasses({ variant: 'secondary' })}>
                Back to the gallery
              </Link>
            }
          />
        }
      />
    </div>
  );
}
