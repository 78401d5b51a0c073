import { Trash2 } from 'lucide-react';
import { useEffect, useEffectEvent, type ReactNode } from 'react';
import { Link } from 'wouter';
import { isNotFound } from '../../../lib/api-client.ts';
import { classNames } from '../../../lib/class-names.ts';
import { paths } from '../../../lib/paths.ts';
import { Button } from '../../../ui/button.tsx';
import { FailureNotice } from '../../../ui/failure-notice.tsx';
import { EmptyGallery } from './empty-gallery.tsx';
import type { GallerySearchParams } from './gallery-search-params.ts';
import { GallerySkeleton } from './gallery-skeleton.tsx';
import { MOST_GALLERY_COLUMNS } from '../grid/grid-layout.ts';
import { MemoryDialog } from '../details/memory-dialog.tsx';
import { memoryCards } from '../grid/memory-card.tsx';
import { MemoryGrid } from '../grid/memory-grid.tsx';
import { MorePages } from '../grid/more-pages.tsx';
import type { GridPlace } from '../grid/use-grid-place.ts';
import { useLightboxItems } from '../grid/use-lightbox-items.ts';
import { useMemoryStats, useMemoryList, type LoadedList } from '../store/memory-lists.ts';
import { useOpenMemory } from '../details/use-open-memory.ts';

interface GalleryMemoriesProps {
  params: GallerySearchParams;
  /** Where to begin. */
  place: GridPlace | null;
  /** Told where someone has come to rest. */
  onPlace: (place: GridPlace) => void;
  empty: ReactNode;
  onShowAll: () => void;
  /** The server does not know the pet. */
  onPetGone: () => void;
}

/** What was found. The list before stays, dimmed, until it is known. */
export function GalleryMemories({
  params,
  place,
  onPlace,
  empty,
  onShowAll,
  onPetGone,
}: GalleryMemoriesProps) {
  const { q, pet: petId, view } = params;
  const [memories, topRef] = useMemoryList({ q, petId }, { start: place?.index });
  const { ids, isPrevious, error } = memories;
  const { gridRef, list } = useLightboxItems(memories);
  const { openDetails, openEditor, toggleLike, share, deleteMemory, dialog } = useOpenMemory(list);
  const isFiltered = q !== '' || petId !== '';
  const count = useFoundCount(params, memories);
  useOnPetGone(petId !== '' && isNotFound(error), onPetGone);

  if (error !== null && (!ids || isPrevious)) {
    return (
      <div className="pt-6">
        <FailureNotice onRetry={memories.retry}>
          Your memories could not be loaded. They are safe; please check your connection and try again.
        </FailureNotice>
      </div>
    );
  }
  // That the list before is empty says nothing about this one.
  const isLoading = !ids || (isPrevious && ids.length === 0);
  return (
    <section aria-label="Memories" aria-busy={isLoading || isPrevious}>
      <div className="flex min-h-6 items-center justify-between gap-4 pb-4 text-small text-muted max-sm:pt-2">
        <p role="status" className="tabular-nums">
          {isLoading ? (
            <span className="sr-only">Loading...</span>
          ) : (
            isFiltered && count !== undefined && `${count} ${count === 1 ? 'memory' : 'memories'} found`
          )}
        </p>
        <RecentlyDeletedLink />
      </div>
      {isLoading ? (
        <GallerySkeleton view={view} />
      ) : (
        <div className={classNames('transition-opacity duration-200', isPrevious && 'opacity-50 delay-150')}>
          {ids.length > 0 ? (
            <>
              <div ref={topRef} />
              <MemoryGrid
                ref={gridRef}
                ids={ids}
                mode={view}
                mostColumns={MOST_GALLERY_COLUMNS}
                scroller={window}
                onView={memories.onView}
                placeKeeper={{
                  list: JSON.stringify(params),
                  isThere: !isPrevious,
                  place,
                  onRest: onPlace,
                }}
                renderCard={memoryCards(view, {
                  onOpen: openDetails,
                  onEdit: openEditor,
                  onLike: toggleLike,
                  onShare: (memory) => void share(memory),
                  onDelete: deleteMemory,
                })}
              />
              <MorePages {...memories} />
            </>
          ) : isFiltered ? (
            <EmptyGallery
              title="No memories found"
              text="Try adjusting your search terms"
              action={
                <Button variant="secondary" onClick={onShowAll}>
                  Show all memories
                </Button>
              }
            />
          ) : (
            empty
          )}
        </div>
      )}
      {dialog && <MemoryDialog {...dialog} />}
    </section>
  );
}

/** Always there: whoever misses something looks for it here. */
function RecentlyDeletedLink() {
  return (
    <Link href={paths.recentlyDeleted} className="-my-3 flex min-h-11 items-center gap-2 hover:text-ink">
      <Trash2 className="size-4" />
      Recently deleted
    </Link>
  );
}

/** Known here once all are loaded. */
function useFoundCount({ q, pet: petId }: GallerySearchParams, { ids, isComplete, isPrevious }: LoadedList) {
  const isAsked = (q !== '' || petId !== '') && ids !== undefined && !isPrevious && !isComplete;
  const { data: stats } = useMemoryStats({ q, petId }, { enabled: isAsked });
  if (isPrevious) return undefined;
  return isComplete ? ids?.length : stats?.total;
}

function useOnPetGone(isGone: boolean, onPetGone: () => void): void {
  const tell = useEffectEvent(onPetGone);
  useEffect(() => {
    if (isGone) tell();
  }, [isGone]);
}
