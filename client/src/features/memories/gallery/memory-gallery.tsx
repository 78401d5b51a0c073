import { Trash2 } from 'lucide-react';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import { Link } from 'wouter';
import { MAX_BULK_MEMORIES, type MemoryOrder } from '#shared/album/memory';
import { isNotFound } from '../../../lib/api/api-client.ts';
import { classNames } from '../../../lib/class-names.ts';
import { loadLater } from '../../../lib/routing/load-later.tsx';
import { paths } from '../../../lib/routing/paths.ts';
import { useOnTrue } from '../../../lib/use-on-true.ts';
import { Button } from '../../../ui/buttons/button.tsx';
import { showToast } from '../../../ui/toasts/toast-store.ts';
import { usePets } from '../../pets/pet-api.ts';
import { EmptyState } from '../empty-state.tsx';
import { MemoryDialog } from '../details/memory-dialog.tsx';
import { MAX_GALLERY_COLUMNS } from '../grid/grid-layout.ts';
import { MemoryGrid, MemoryGridSkeleton, useMemoryCards } from '../grid/memory-grid.tsx';
import { stateAtRowStart, useScrollPosition } from '../grid/scroll-position.ts';
import {
  createSelection,
  SelectionContext,
  useIsSelecting,
  useSelectedIds,
  type Selection,
} from '../selection/selection.ts';
import { useMemoryList, useMemoryStats, type LoadedList } from '../store/memory-lists.ts';
import { GalleryBar, OrderSelect } from './gallery-bar.tsx';
import {
  useGallerySearchParams,
  useResetMissingPet,
  type GallerySearchParams,
} from './gallery-search-params.ts';
import { useNewMemories } from './use-new-memories.ts';
import { LoadError } from '../../../ui/error-notice.tsx';

const PLACEHOLDERS = 12;

interface MemoryGalleryProps {
  userId: string;
  emptyAction: ReactNode;
  action: (filters: { q: string; petId: string; isLiked: boolean }, look?: 'text') => ReactNode;
}

export function MemoryGallery({ userId, emptyAction, action }: MemoryGalleryProps) {
  const [params, setParams] = useGallerySearchParams();
  const scroll = useScrollPosition();
  const pets = usePets();
  const resetPet = () => setParams({ pet: '' }, { replace: true });
  const isPetFound = useResetMissingPet(params, pets.data, resetPet);
  const filters = { q: params.q, petId: params.pet, isLiked: params.loved === 'true' };
  return (
    <>
      <GalleryBar
        params={params}
        pets={pets.isError ? [] : pets.data}
        onSearch={(q) => setParams({ q }, { replace: true })}
        onPet={(pet) => setParams({ pet })}
        onLoved={(isLoved) => setParams({ loved: isLoved ? 'true' : '' })}
        onOrder={(order) => setParams({ order })}
        onView={(view) => setParams({ view }, { state: stateAtRowStart(scroll.position) })}
        action={action(filters)}
      />
      {isPetFound || pets.isError ? (
        <GalleryMemories
          userId={userId}
          params={params}
          scroll={scroll}
          emptyAction={emptyAction}
          phoneAction={action(filters, 'text')}
          onShowAll={() => setParams({ q: '', pet: '', loved: '' })}
          onPetMissing={() => void pets.refetch()}
          onOrder={(order) => setParams({ order })}
        />
      ) : (
        <Placeholders view={params.view} />
      )}
    </>
  );
}

interface GalleryMemoriesProps {
  userId: string;
  params: GallerySearchParams;
  scroll: ReturnType<typeof useScrollPosition>;
  emptyAction: ReactNode;
  /** In the line above the memories, on phones. */
  phoneAction: ReactNode;
  onShowAll: () => void;
  onPetMissing: () => void;
  onOrder: (order: MemoryOrder) => void;
}

/** The matching memories. The previous results stay, dimmed, until the new ones are loaded. */
function GalleryMemories({
  userId,
  params,
  scroll,
  emptyAction,
  phoneAction,
  onShowAll,
  onPetMissing,
  onOrder,
}: GalleryMemoriesProps) {
  const { q, pet: petId, loved, order, view } = params;
  const isLiked = loved === 'true' ? true : undefined;
  const [memories, topRef] = useMemoryList(
    { q, petId, isLiked, order: order === 'taken' ? order : undefined },
    { start: scroll.position?.index },
  );
  const { ids, isPrevious, error } = memories;
  const { gridRef, renderCard, dialog } = useMemoryCards(memories, view, MemoryDialog);
  const selection = useGallerySelection(params, memories);
  const isSelecting = useIsSelecting(selection);
  const section = useRef<HTMLElement>(null);
  const selectButton = useRef<HTMLButtonElement>(null);
  /** Stays true when the button leaves the page: React calls no `onBlur` then. */
  const isSelectFocused = useRef(false);
  useOnTrue(ids?.length === 0 && !isPrevious, () => {
    if (isSelectFocused.current)
      section.current?.querySelector<HTMLElement>('[data-empty-state] button')?.focus();
  });
  const isFiltered = q !== '' || petId !== '' || isLiked === true;
  const divider = useNewMemories(userId, isFiltered || isPrevious || order === 'taken' ? undefined : ids);
  const count = useResultCount(params, memories);
  useOnTrue(petId !== '' && isNotFound(error), onPetMissing);

  if (error !== null && (!ids || isPrevious)) {
    return (
      <div className="pt-6">
        <div className="pb-6 text-small sm:hidden">{phoneAction}</div>
        <LoadError what="Your memories" isSafe onRetry={memories.retry} />
      </div>
    );
  }
  // The previous list may be empty while this one is not.
  const isLoading = !ids || (isPrevious && ids.length === 0);
  return (
    <section
      ref={section}
      aria-label="Memories"
      aria-busy={isLoading || isPrevious}
      data-selecting={isSelecting || undefined}
      // Safari opens a menu for a photo that is pressed long.
      className="[-webkit-touch-callout:none] data-selecting:pb-20 data-selecting:select-none"
    >
      <div className="flex min-h-6 flex-wrap items-center gap-x-5 gap-y-6 pb-4 text-small text-muted max-[390px]:gap-x-2 max-sm:pt-2">
        <p
          role="status"
          aria-atomic={false}
          className={classNames(
            'grow tabular-nums',
            isFiltered ? 'max-sm:order-last max-sm:-mt-4 max-sm:min-h-5 max-sm:w-full' : 'max-sm:sr-only',
          )}
        >
          <SelectedCount selection={selection} />
          {isLoading ? (
            <span className="sr-only">Loading...</span>
          ) : (
            isFiltered && count !== undefined && `${count} ${count === 1 ? 'memory' : 'memories'} found`
          )}
        </p>
        <div className="grow sm:hidden">{phoneAction}</div>
        <OrderSelect order={order} onOrder={onOrder} />
        {(isLoading || ids.length > 0) && (
          <button
            ref={selectButton}
            type="button"
            aria-pressed={isSelecting}
            onFocus={() => (isSelectFocused.current = true)}
            onBlur={() => (isSelectFocused.current = false)}
            onClick={isSelecting ? selection.end : selection.start}
            className={classNames('-my-3 min-h-11 min-w-11 hover:text-ink', isLoading && 'invisible')}
          >
            Select
          </button>
        )}
        <Link
          href={paths.addMany}
          className="-my-3 flex min-h-11 items-center whitespace-nowrap hover:text-ink"
        >
          Add many
        </Link>
        <RecentlyDeletedLink />
      </div>
      {isLoading ? (
        <Placeholders view={view} />
      ) : (
        <SelectionContext value={selection}>
          <div
            className={classNames('transition-opacity duration-200', isPrevious && 'opacity-50 delay-150')}
          >
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
                  selection={selection}
                  divider={divider}
                  monthOrder={order}
                />
              </>
            ) : isFiltered ? (
              <NoResults isOnlyLoved={q === '' && petId === ''} onShowAll={onShowAll} />
            ) : (
              <EmptyState text="Upload your first memory to get started!" action={emptyAction} />
            )}
          </div>
        </SelectionContext>
      )}
      {dialog}
      {isSelecting && <SelectionBar selection={selection} onEnd={() => selectButton.current?.focus()} />}
    </section>
  );
}

function NoResults({ isOnlyLoved, onShowAll }: { isOnlyLoved: boolean; onShowAll: () => void }) {
  const text = isOnlyLoved
    ? { title: 'No loved memories yet', text: 'Tap the heart of a memory, and it will be here, too.' }
    : { title: 'No memories found', text: 'Try adjusting your search terms' };
  const showAll = (
    <Button variant="secondary" onClick={onShowAll}>
      Show all memories
    </Button>
  );
  return <EmptyState {...text} action={showAll} />;
}

const SelectionBar = loadLater(async () => (await import('../selection/selection-bar.tsx')).SelectionBar);

function useGallerySelection(
  { q, pet: petId, loved }: GallerySearchParams,
  { ids, isPrevious }: LoadedList,
): Selection {
  const [selection] = useState(() =>
    createSelection(() =>
      showToast({
        title: `You can select up to ${MAX_BULK_MEMORIES.toLocaleString('en')} memories`,
      }),
    ),
  );
  // Another filter leaves selection mode, so that no hidden memory stays selected.
  useEffect(() => () => selection.end(), [selection, q, petId, loved]);
  useEffect(() => {
    if (ids && !isPrevious) selection.retain(ids);
  }, [selection, ids, isPrevious]);
  return selection;
}

/** For screen readers: the bar comes too late to be a live region. */
function SelectedCount({ selection }: { selection: Selection }) {
  const count = useSelectedIds(selection).length;
  return useIsSelecting(selection) && <span className="sr-only">{count.toLocaleString('en')} selected</span>;
}

function Placeholders({ view }: Pick<GallerySearchParams, 'view'>) {
  return <MemoryGridSkeleton mode={view} maxColumns={MAX_GALLERY_COLUMNS} count={PLACEHOLDERS} />;
}

function RecentlyDeletedLink() {
  return (
    <Link
      href={paths.recentlyDeleted}
      className="-my-3 flex min-h-11 min-w-11 items-center justify-end gap-2 whitespace-nowrap hover:text-ink"
    >
      <Trash2 className="size-4" />
      <span className="max-sm:sr-only">Recently deleted</span>
    </Link>
  );
}

/** Without a request once the whole list is loaded. */
function useResultCount(
  { q, pet: petId, loved }: GallerySearchParams,
  { ids, isComplete, isPrevious }: LoadedList,
) {
  const isLiked = loved === 'true' ? true : undefined;
  const enabled = (q !== '' || petId !== '' || isLiked) && ids !== undefined && !isPrevious && !isComplete;
  const { data: stats } = useMemoryStats({ q, petId, isLiked }, { enabled: enabled === true });
  if (isPrevious) return undefined;
  return isComplete ? ids?.length : stats?.total;
}
