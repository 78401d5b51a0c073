import { type CSSProperties } from 'react';
import type { Memory } from '#shared/album/memory';
import { Button } from '../../../ui/buttons/button.tsx';
import { showError } from '../../../ui/toasts/show-error.ts';
import { Skeleton } from '../../../ui/loading/skeleton.tsx';
import { Photo } from '../../photos/photo.tsx';
import { usePet } from '../../pets/pet-api.ts';
import { MemoryDialog } from '../details/lazy-memory-dialog.tsx';
import { useMemoryDialog, type MemoryActions } from '../details/use-memory-dialog.ts';
import { LikeHeart } from '../like-heart.tsx';
import { imageDescription, whenText } from '../memory-text.ts';
import { useDismissFeatured, useFeaturedMemory } from '../store/featured-memory.ts';
import { isLoadedMemory, useMemory } from '../store/memory-store.ts';
import { formatReason } from './featured-reason.ts';

/** Its height is the same while it loads and for every photo, so that nothing below moves. */
const area =
  'grid gap-x-14 max-md:h-[calc(min(100vw-2.5rem,26rem)+15rem)] max-md:content-start md:h-112 md:justify-center md:grid-cols-[minmax(0,var(--print-width))_18rem] md:grid-rows-[2fr_3fr] lg:grid-cols-[minmax(0,var(--print-width))_22rem]';
const PRINT_HEIGHT_REM = 28;
const printArea =
  'flex min-w-0 items-center max-md:mx-auto max-md:mt-3 max-md:size-[min(100vw-2.5rem,26rem)] md:row-span-2 md:row-start-1';

function toStyle(aspect: number): CSSProperties {
  return { '--aspect': aspect, '--print-width': `${PRINT_HEIGHT_REM * aspect}rem` } as CSSProperties;
}

/** One photo a day, as large as the first screen allows. */
export function FeaturedMemory() {
  const { data: featured, isPending, isError } = useFeaturedMemory();
  const memory = useMemory(featured?.id ?? '');
  const { actions, dialog } = useMemoryDialog({
    count: 1,
    at: () => featured?.id,
    errorAt: () => null,
    reveal: () => undefined,
  });
  const isShown = featured && isLoadedMemory(memory);
  // A deleted one keeps its place until the next one is known.
  const isAwaited = isPending || (featured && !isShown && !isError);
  return (
    <>
      {(isShown || isAwaited) && (
        <section
          // The photo replaces its skeleton, which may have another shape, instead of moving it.
          key={String(isPending)}
          aria-labelledby={isShown ? 'featured-heading' : undefined}
          className={area}
          style={toStyle(isShown ? featuredAspectRatio(memory) : 4 / 3)}
        >
          <FeaturedHeading featured={isShown ? featured : null} />
          {/* The dialog returns the focus by the position in a list: to the next photo, when that is there. */}
          <div role="list" data-memory-list="" className={printArea}>
            <div role="listitem" aria-posinset={1} aria-setsize={1} className="contents">
              {isShown ? (
                <FeaturedPrint key={memory.id} memory={memory} onOpen={actions.open} />
              ) : (
                <PrintSkeleton />
              )}
            </div>
          </div>
          {isShown ? <FeaturedStory memory={memory} actions={actions} /> : <StorySkeleton />}
        </section>
      )}
      {/* Not inside the photo, which is hidden while the dialog of a deleted memory closes. */}
      {dialog && <MemoryDialog {...dialog} />}
    </>
  );
}

function FeaturedHeading({ featured }: { featured: Parameters<typeof formatReason>[0] | null }) {
  if (!featured) return <Skeleton className="h-7 w-3/4 md:col-start-2 md:self-end" />;
  return (
    <h2 id="featured-heading" className="text-lead font-medium md:col-start-2 md:self-end md:text-title">
      {formatReason(featured)}
    </h2>
  );
}

function FeaturedStory({ memory, actions }: { memory: Memory; actions: MemoryActions }) {
  const { mutate: dismiss, isPending: isDismissing } = useDismissFeatured();
  const hide = () =>
    dismiss(memory.id, {
      onError: (error) => showError(error, 'Error', 'This photo could not be hidden'),
    });
  return (
    <div className="min-w-0 max-md:mt-4 md:col-start-2">
      <p dir="auto" className="line-clamp-2 wrap-anywhere md:mt-3 md:line-clamp-4 md:text-lead">
        {memory.caption}
      </p>
      <p className="mt-1 truncate text-small text-muted">
        <Details memory={memory} />
      </p>
      <div className="mt-2 -ml-3 flex items-center md:mt-5">
        <Button variant="quiet" onClick={() => actions.toggleLike(memory)} className="px-3">
          <LikeHeart isLiked={memory.isLiked} />
          {memory.isLiked ? 'Loved' : 'Love'}
        </Button>
        <Button
          variant="quiet"
          onClick={hide}
          isPending={isDismissing}
          pendingText="Not this one"
          className="px-3 text-muted"
        >
          Not this one
        </Button>
      </div>
    </div>
  );
}

function Details({ memory }: { memory: Memory }) {
  const pet = usePet(memory.petId);
  return (
    <>
      {pet && (
        <>
          <bdi>{pet.name}</bdi> ·{' '}
        </>
      )}
      {whenText(memory)}
    </>
  );
}

/** Wider and taller photos are cropped. */
const MIN_ASPECT_RATIO = 0.75;
const MAX_ASPECT_RATIO = 1.6;

function featuredAspectRatio({ width, height }: Memory): number {
  const ratio = width && height ? width / height : 1;
  return Math.min(MAX_ASPECT_RATIO, Math.max(MIN_ASPECT_RATIO, ratio));
}

interface FeaturedPrintProps {
  memory: Memory;
  onOpen: (memory: Memory, opener: HTMLElement) => void;
}

/** On phones a square, so that the first screen shows all of it. */
function FeaturedPrint({ memory, onOpen }: FeaturedPrintProps) {
  const description = imageDescription(memory, usePet(memory.petId));
  const width = Math.round(16 * PRINT_HEIGHT_REM * featuredAspectRatio(memory));
  return (
    <button
      type="button"
      aria-haspopup="dialog"
      // The collection and the timeline have 'Open' and 'View' for the same memory.
      aria-label={`See ${description}`}
      onClick={({ currentTarget }) => onOpen(memory, currentTarget)}
      className="block size-full animate-fade-in rounded-print bg-print p-2.5 shadow-lifted transition-[translate] duration-200 ease-gentle hover:-translate-y-1 md:aspect-(--aspect) md:h-auto md:p-3.5"
    >
      <Photo
        photo={memory}
        description={description}
        sizes={`(min-width: 768px) ${width}px, 416px`}
        isEager
        isFirst
        className="size-full rounded-[2px]"
      />
    </button>
  );
}

export function FeaturedMemorySkeleton() {
  return (
    <div className={area} style={toStyle(4 / 3)}>
      <FeaturedHeading featured={null} />
      <div className={printArea}>
        <PrintSkeleton />
      </div>
      <StorySkeleton />
    </div>
  );
}

function PrintSkeleton() {
  return <Skeleton className="size-full md:aspect-(--aspect) md:h-auto" />;
}

function StorySkeleton() {
  return <Skeleton className="mt-4 h-5 w-1/2 md:col-start-2" />;
}
