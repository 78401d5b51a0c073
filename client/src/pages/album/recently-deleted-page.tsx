import { Link } from 'wouter';
import { TRASH_DAYS } from '#shared/album/memory';
import { EmptyState } from '../../features/memories/empty-state.tsx';
import { GallerySubpage } from '../../features/memories/gallery/gallery-subpage.tsx';
import { DeletedMemories } from '../../features/memories/recently-deleted/deleted-memories.tsx';
import { paths } from '../../lib/routing/paths.ts';
import { buttonClasses } from '../../ui/buttons/button.tsx';

export function RecentlyDeletedPage() {
  return (
    <GallerySubpage
      title="Recently deleted"
      text={`Deleted memories are kept here for ${TRASH_DAYS} days, in case you want them back. After that they are gone for good.`}
      className="max-w-6xl"
    >
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
    </GallerySubpage>
  );
}
