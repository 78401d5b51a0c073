import { Trash2 } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { isNotFound } from '../../../lib/api-client.ts';
import { classNames } from '../../../lib/class-names.ts';
import { paths } from '../../../lib/paths.ts';
import { useOnTrue } from '../../../lib/use-on-true.ts';
import { Button } from '../../../ui/button.tsx';
import { ErrorNotice } from '../../../ui/error-notice.tsx';
import { usePets } from '../../pets/pet-api.ts';
import { EmptyState } from '../empty-state.tsx';
import { MemoryDialog } from '../details/memory-dialog.tsx';
import { MAX_GALLERY_COLUMNS } from '../grid/grid-layout.ts';
import { MemoryGrid, MemoryGridSkeleton, useMemoryCards } from '../grid/memory-grid.tsx';
import { stateAtRowStart, useScrollPosition } from '../grid/scroll-position.ts';
import { useMemoryList, useMemoryStats, type LoadedList } from '../store/memory-lists.ts';
import { GalleryBar } from './gallery-bar.tsx';
import {
  useGallerySearchParams,
  useResetMissingPet,
  type GallerySearchParams,
} from './gallery-search-params.ts';

const PLACEHOLDERS = 12;

interface MemoryGalleryProps {
  emptyAction: ReactNode;
  action: (filters: { q: string; petId: string }) => ReactNode;
}

export function MemoryGallery({ emptyAction, action }: MemoryGalleryProps) {
  const [params, setParams] = useGallerySearchParams();
  const scroll = useScrollPosition();
  const pets = usePets();
  const resetPet = () => setParams({ pet: '' }, { replace: true });
  const isPetFound = useResetMissingPet(params, pets.data, resetPet);
  return (
    <>
      <GalleryBar
        params={params}
        pets={pets.isError ? [] : pets.data}
        onSearch={(q) => setParams({ q }, { replace: true })}
        onPet={(pet) => setParams({ pet })}
        onView={(view) => setParams({ view }, { state: stateAtRowStart(scroll.position) })}
        action={action({ q: params.q, petId: params.pet })}
      />
      {isPetFound || pets.isError ? (
        <GalleryMemories
          params={params}
          scroll={scroll}
          emptyAction={emptyAction}
          onShowAll={() => setParams({ q: '', pet: '' })}
          onPetMissing={() => void pets.refetch()}
        />
      ) : (
        <Placeholders view={params.view} />
      )}
    </>
  );
}

interface GalleryMemoriesProps {
  params: GallerySearchParams;
  scroll: ReturnType<typeof useScrollPosition>;
  emptyAction: ReactNode;
  onShowAll: () => void;
  onPetMissing: () => void;
}

/** The matching memories. The previous results stay, dimmed, until the new ones are loaded. */
function GalleryMemories({ params, scroll, emptyAction, onShowAll, onPetMissing }: GalleryMemoriesProps) {
  const { q, pet: petId, view } = params;
  const [memories, topRef] = useMemoryList({ q, petId }, { start: scroll.position?.index });
  const { ids, isPrevious, error } = memories;
  const { gridRef, renderCard, dialog } = useMemoryCards(memories, view, MemoryDialog);
  const isFiltered = q !== '' || petId !== '';
  const count = useResultCount(params, memories);
  useOnTrue(petId !== '' && isNotFound(error), onPetMissing);

  if (error !== null && (!ids || isPrevious)) {
    return (
      <div className="pt-6">
        <ErrorNotice onRetry={memories.retry}>
          Your memories could not be loaded. They are safe; please check your connection and try again.
        </ErrorNotice>
      </div>
    );
  }
  // The previous list may be empty while this one is not.
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
        <Placeholders view={view} />
      ) : (
        <div className={classNames('transition-opacity duration-200', isPrevious && 'opacity-50 delay-150')}>
          {ids.length > 0 ? (
            <>
              <div ref={topRef} />
              <MemoryGrid
                ref={gridRef}
                memories={memories}
                mode={view}
                maxColumns={MAX_GALLERY_COLUMNS}
                scroller={window}
                scrollPosition={{ ...scroll, list: JSON.stringify(params), isLoaded: !isPrevious }}
                renderCard={renderCard}
              />
            </>
          ) : isFiltered ? (
            <EmptyState
              title="No memories found"
              text="Try adjusting your search terms"
              action={
                <Button variant="secondary" onClick={onShowAll}>
                  Show all memories
                </Button>
              }
            />
          ) : (
            <EmptyState text="Upload your first memory to get started!" action={emptyAction} />
          )}
        </div>
      )}
      {dialog}
    </section>
  );
}

function Placeholders({ view }: Pick<GallerySearchParams, 'view'>) {
  return <MemoryGridSkeleton mode={view} maxColumns={MAX_GALLERY_COLUMNS} count={PLACEHOLDERS} />;
}

function RecentlyDeletedLink() {
  return (
    <Link href={paths.recentlyDeleted} className="-my-3 flex min-h-11 items-center gap-2 hover:text-ink">
      <Trash2 className="size-4" />
      Recently deleted
    </Link>
  );
}

/** Without a request once the whole list is loaded. */
function useResultCount({ q, pet: petId }: GallerySearchParams, { ids, isComplete, isPrevious }: LoadedList) {
  const enabled = (q !== '' || petId !== '') && ids !== undefined && !isPrevious && !isComplete;
  const { data: stats } = useMemoryStats({ q, petId }, { enabled });
  if (isPrevious) return undefined;
  return isComplete ? ids?.length : stats?.total;
}
