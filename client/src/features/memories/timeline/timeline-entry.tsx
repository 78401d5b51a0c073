import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { UNTITLED_MEMORY, type Memory, type MemoryOrder } from '#shared/album/memory';
import { splitMemoryDate } from '#shared/dates/calendar-date';
import type { Pet } from '#shared/album/pet';
import { classNames } from '../../../lib/class-names.ts';
import { formatCalendarAge, toLocalDay, formatLongDate, formatLongMemoryDate } from '../../../lib/dates.ts';
import { petGalleryPath, tagGalleryPath } from '../../../lib/routing/paths.ts';
import { Button } from '../../../ui/buttons/button.tsx';
import { PetPhotoAvatar } from '../pet-photo-avatar.tsx';
import { Skeleton } from '../../../ui/loading/skeleton.tsx';
import type { MemoryActions } from '../details/use-memory-dialog.ts';
import { coveringWidth } from '../../../lib/image-sources.ts';
import { printAspectRatio } from '../print/print-layout.ts';
import { Caption, openByText, Print } from '../print/memory-print.tsx';
import { imageDescription, MEMORY_NOT_LOADED } from '../memory-text.ts';

/** Narrower photos do not get the full width, since they would fill a phone's screen. */
const MIN_FULL_WIDTH_ASPECT = 0.9;

interface TimelineEntryProps {
  memory: Memory;
  pet: Pet | undefined;
  order: MemoryOrder;
  isEager: boolean;
  onOpen: MemoryActions['open'];
}

export function TimelineEntry({ memory, pet, order, isEager, onOpen }: TimelineEntryProps) {
  const addedDay = toLocalDay(memory.createdAt);
  const takenDay = memory.memoryDate ? splitMemoryDate(memory.memoryDate).day : addedDay;
  // The circle follows the headings: below 'May 2019' it shows a day of May 2019.
  const day = order === 'taken' ? takenDay : addedDay;
  const widthShare = Math.min(1, printAspectRatio(memory) / MIN_FULL_WIDTH_ASPECT);
  const drawn = (width: number) => coveringWidth(memory, widthShare * width, printAspectRatio(memory));
  return (
    <EntryLayout day={String(Number(day.slice(-2)))}>
      <Dates memory={memory} takenDay={takenDay === addedDay ? null : takenDay} order={order} />
      <PhotoColumn>
        <Print
          memory={memory}
          description={imageDescription(memory, pet)}
          onOpen={onOpen}
          isEager={isEager}
          widthShare={widthShare}
          sizes={`(min-width: 768px) ${drawn(432)}px, ${drawn(75)}vw`}
        />
      </PhotoColumn>
      <div onClick={openByText} className="min-w-0 cursor-pointer space-y-3">
        <Caption memory={memory} untitled={UNTITLED_MEMORY} className="line-clamp-6 text-lead" />
        {pet && (
          <Link
            href={petGalleryPath(pet.id)}
            className="-mt-1.5 mb-1.5 flex min-h-11 w-fit max-w-full items-center gap-2.5 underline-offset-4 hover:text-accent hover:underline"
          >
            <PetPhotoAvatar pet={pet} sizes="32px" isDecoration className="size-8 shrink-0 rounded-full" />
            <span dir="auto" className="min-w-0 truncate">
              {pet.name}
            </span>
          </Link>
        )}
        <Tags tags={memory.tags} />
      </div>
    </EntryLayout>
  );
}

interface DatesProps extends Pick<TimelineEntryProps, 'memory' | 'order'> {
  /** Null if it equals the day of adding. */
  takenDay: string | null;
}

function Dates({ memory: { createdAt }, takenDay, order }: DatesProps) {
  const added = <time dateTime={createdAt}>{formatLongDate(createdAt)}</time>;
  const taken = takenDay && (
    <>
      Taken <time dateTime={takenDay}>{formatLongMemoryDate(takenDay)}</time>
    </>
  );
  const isTakenFirst = order === 'taken' && taken !== null;
  return (
    <div onClick={openByText} className="cursor-pointer self-end tabular-nums md:self-start">
      <p className="font-semibold">{isTakenFirst ? taken : added}</p>
      <p className="text-small text-muted">
        {isTakenFirst && <>Added {added}, </>}
        <span>{formatCalendarAge(createdAt)}</span>
      </p>
      {!isTakenFirst && taken && <p className="text-small text-muted">{taken}</p>}
    </div>
  );
}

function Tags({ tags }: { tags: string[] }) {
  if (tags.length === 0) return null;
  return (
    <ul aria-label="Tags" className="flex flex-wrap gap-1.5 text-small">
      {tags.map((tag, index) => (
        <li key={index} dir="auto" className="max-w-full truncate rounded-full bg-well px-2.5 py-0.5">
          <Link href={tagGalleryPath(tag)} className="hover:text-accent">
            {tag}
          </Link>
        </li>
      ))}
    </ul>
  );
}

export function TimelineEntrySkeleton() {
  return (
    <EntryLayout>
      <div className="space-y-2">
        <Skeleton className="h-5 w-36" />
        <Skeleton className="h-4 w-20" />
      </div>
      <PhotoColumn>
        <Skeleton className="aspect-4/3" />
      </PhotoColumn>
      <Skeleton className="h-7 w-2/3" />
    </EntryLayout>
  );
}

/** @param onRetry retries the whole request, so only one of the failed entries gets it */
export function TimelineEntryError({ onRetry }: { onRetry: (() => void) | null }) {
  return (
    <EntryLayout>
      <p className="text-muted">{MEMORY_NOT_LOADED}</p>
      <PhotoColumn>
        <div className="grid aspect-4/3 place-items-center rounded-print bg-well">
          {onRetry && (
            <Button variant="secondary" onClick={onRetry}>
              Try again
            </Button>
          )}
        </div>
      </PhotoColumn>
    </EntryLayout>
  );
}

function EntryLayout({ day, children }: { day?: string; children: ReactNode }) {
  return (
    <div className="relative grid grid-cols-[2.75rem_minmax(0,1fr)] gap-x-4 pb-12 before:absolute before:inset-y-0 before:left-5.5 before:w-px before:bg-edge/60 sm:gap-x-6">
      <div
        aria-hidden
        className={classNames(
          'z-0 grid size-11 place-items-center rounded-full border-2 bg-paper font-display text-lead font-medium tabular-nums',
          day ? 'border-accent' : 'border-hairline',
        )}
      >
        {day}
      </div>
      <div className="grid gap-y-3 md:grid-cols-[minmax(0,28rem)_minmax(14rem,1fr)] md:grid-rows-[auto_1fr] md:gap-x-8">
        {children}
      </div>
    </div>
  );
}

function PhotoColumn({ children }: { children: ReactNode }) {
  return <div className="md:col-start-1 md:row-span-2 md:row-start-1">{children}</div>;
}
