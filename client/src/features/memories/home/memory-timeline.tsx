import { memo, useRef, type ReactNode } from 'react';
import { Link } from 'wouter';
import type { Memory } from '#shared/album/memory';
import type { Pet } from '#shared/album/pet';
import { classNames } from '../../../lib/class-names.ts';
import { petGalleryPath } from '../../../lib/routing/paths.ts';
import { TagLinks } from '../tag-links.tsx';
import { formatShortDate } from '../../../lib/dates.ts';
import { PetPhotoAvatar } from '../pet-photo-avatar.tsx';
import { Skeleton } from '../../../ui/loading/skeleton.tsx';
import { usePets } from '../../pets/pet-api.ts';
import { MemoryDialog } from '../details/lazy-memory-dialog.tsx';
import { useMemoryDialog, type MemoryActions } from '../details/use-memory-dialog.ts';
import { EmptyAlbumIllustration } from '../empty-state.tsx';
import { squarePhotoSizes } from '../../../lib/image-sources.ts';
import { openByText, Print } from '../print/memory-print.tsx';
import { imageDescription } from '../memory-text.ts';
import { isLoadedMemory, useMemory } from '../store/memory-store.ts';

const MAX_MEMORIES = 6;
const PLACEHOLDERS = 3;

interface MemoryTimelineProps {
  ids: string[];
  emptyAction: ReactNode;
}

export function MemoryTimeline({ ids, emptyAction }: MemoryTimelineProps) {
  const { data: pets } = usePets();
  const latest = ids.slice(0, MAX_MEMORIES);
  const listRef = useRef<HTMLOListElement>(null);
  const { actions, dialog } = useMemoryDialog({
    count: latest.length,
    at: (index) => latest[index],
    errorAt: () => null,
    reveal: (index) => listRef.current?.children[index]?.scrollIntoView({ block: 'nearest' }),
  });
  return (
    <TimelineSection>
      {ids.length === 0 ? (
        <div className="flex flex-col items-center gap-5 text-center">
          <EmptyAlbumIllustration />
          <div>
            <p className="font-display text-lead font-medium">No mems yet - start adding some!</p>
            <p className="mt-1 text-balance text-muted">Every photo you add will appear here.</p>
          </div>
          {emptyAction}
        </div>
      ) : (
        <ol ref={listRef} data-memory-list="" className={line}>
          {latest.map((id, index) => (
            <li key={id} aria-posinset={index + 1} aria-setsize={latest.length}>
              <TimelineEntry id={id} pets={pets} isRight={index % 2 === 1} onOpen={actions.open} />
            </li>
          ))}
        </ol>
      )}
      {dialog && <MemoryDialog {...dialog} />}
    </TimelineSection>
  );
}

export function MemoryTimelineSkeleton() {
  return (
    <TimelineSection>
      <div className={line}>
        {Array.from({ length: PLACEHOLDERS }, (_, index) => (
          <EntrySkeleton key={index} isRight={index % 2 === 1} />
        ))}
      </div>
    </TimelineSection>
  );
}

function EntrySkeleton({ isRight }: { isRight: boolean }) {
  return (
    <Row isRight={isRight}>
      <Skeleton className="size-[144px] shrink-0" />
      <div className="flex-1 space-y-3">
        <Skeleton className="h-5 w-24" />
        <Skeleton className="h-6 w-full max-w-48" />
      </div>
    </Row>
  );
}

const line =
  'relative space-y-10 before:absolute before:inset-y-0 before:left-[5px] before:w-px before:bg-hairline md:before:left-1/2';

function TimelineSection({ children }: { children: ReactNode }) {
  return (
    <section aria-labelledby="timeline-heading">
      <h2 id="timeline-heading" className="mb-8 text-title sm:text-center">
        Your Mems Timeline
      </h2>
      {children}
    </section>
  );
}

interface TimelineEntryProps {
  id: string;
  pets: Pet[] | undefined;
  isRight: boolean;
  onOpen: MemoryActions['open'];
}

const TimelineEntry = memo(function TimelineEntry({ id, pets, isRight, onOpen }: TimelineEntryProps) {
  const memory = useMemory(id);
  if (!isLoadedMemory(memory)) return <EntrySkeleton isRight={isRight} />;
  const pet = pets?.find(({ id }) => id === memory.petId);
  return (
    <Row isRight={isRight}>
      <Print
        memory={memory}
        description={imageDescription(memory, pet)}
        onOpen={onOpen}
        // The collection has a button 'Open' for the same memory.
        verb="View"
        sizes={squarePhotoSizes(memory, 128)}
        className="shrink-0"
        imageClassName="size-32"
      />
      <div onClick={openByText} className="min-w-0 cursor-pointer">
        <p className="text-small text-muted tabular-nums">
          {formatShortDate(memory.createdAt) ?? 'A special day'}
        </p>
        <p dir="auto" className="line-clamp-4 font-display text-lead font-medium">
          {memory.caption || 'A beautiful moment'}
        </p>
        {pet && <PetWithTags pet={pet} tags={memory.tags} isRight={isRight} />}
      </div>
    </Row>
  );
});

type PetWithTagsProps = Pick<Memory, 'tags'> & { pet: Pet; isRight: boolean };

function PetWithTags({ pet, tags, isRight }: PetWithTagsProps) {
  return (
    <div className={classNames('mt-2 flex items-center gap-2.5', !isRight && 'md:flex-row-reverse')}>
      <Link
        href={petGalleryPath(pet.id)}
        tabIndex={-1}
        aria-hidden
        className="-m-1 grid size-11 shrink-0 place-items-center"
      >
        <PetPhotoAvatar pet={pet} sizes="36px" isDecoration className="size-9 shrink-0 rounded-full" />
      </Link>
      <div className="min-w-0 text-small">
        <p dir="auto" className="truncate font-semibold">
          <Link
            href={petGalleryPath(pet.id)}
            className="underline-offset-4 hover:text-accent hover:underline"
          >
            {pet.name}
          </Link>
        </p>
        {tags.length > 0 && (
          // Padding, so that the targets of tags are not clipped.
          <p
            dir="auto"
            className="line-clamp-2 leading-6 wrap-anywhere text-muted pointer-coarse:-mx-2 pointer-coarse:-my-1 pointer-coarse:px-2 pointer-coarse:py-1"
          >
            <TagLinks tags={tags} separator=", " />
          </p>
        )}
      </div>
    </div>
  );
}

function Row({ isRight, children }: { isRight: boolean; children: ReactNode }) {
  return (
    <div
      className={classNames(
        'relative pl-8 md:w-1/2',
        'before:absolute before:top-1/2 before:size-[11px] before:-translate-y-1/2 before:rounded-full before:border-2 before:border-accent before:bg-paper',
        isRight
          ? 'before:left-0 md:ml-auto md:pl-12 md:before:-left-[5px]'
          : 'before:left-0 md:pr-12 md:pl-0 md:before:right-[-6px] md:before:left-auto',
      )}
    >
      <div className={classNames('flex items-center gap-5', !isRight && 'md:flex-row-reverse md:text-right')}>
        {children}
      </div>
    </div>
  );
}
