import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { useState } from 'react';
import { useListBounds } from '../../lib/virtual-list.ts';
import { formatBytes } from '../../lib/format-bytes.ts';
import { MemoryDialog } from '../memories/details/lazy-memory-dialog.tsx';
import { useMemoryDialog, type MemoryActions } from '../memories/details/use-memory-dialog.ts';
import { isLoadedMemory, useMemory } from '../memories/store/memory-store.ts';
import { Thumbnail } from './contacts-choice.tsx';
import type { UploaderSnapshot } from './queue/bulk-uploader.ts';
import { nameOf, shownPath, type PhotoState, type QueuedPhoto } from './queue/queued-photo.ts';

const ROW_PX = 64;

const STATE_TEXTS: Record<PhotoState, string> = {
  waiting: 'Waiting',
  added: 'Added',
  'in-album': 'Here already',
  'in-trash': 'In Recently deleted',
  failed: 'Not added',
};

type Filter = PhotoState | 'all' | 'no-date';

interface PhotoListProps {
  photos: readonly QueuedPhoto[];
  counts: UploaderSnapshot['counts'];
}

/** Only the rows in view are rendered. */
export function PhotoList({ photos, counts }: PhotoListProps) {
  const [filter, setFilter] = useState<Filter>('all');
  const filtered = filter === 'all' ? photos : photos.filter((photo) => matches(photo, filter));
  const [{ top }, listRef] = useListBounds(window);
  const virtualizer = useWindowVirtualizer({
    count: filtered.length,
    estimateSize: () => ROW_PX,
    overscan: 6,
    scrollMargin: top,
    getItemKey: (index) => filtered[index]?.id ?? index,
  });
  const { actions, dialog } = useMemoryDialog({
    count: filtered.length,
    at: (index) => filtered[index]?.memoryId ?? undefined,
    errorAt: () => null,
    reveal: (index) => virtualizer.scrollToIndex(index),
  });
  const withoutDate = photos.filter((photo) => matches(photo, 'no-date')).length;
  const choices: { value: Filter; name: string }[] = [
    { value: 'all', name: `All ${photos.length}` },
    ...(Object.keys(STATE_TEXTS) as PhotoState[])
      .filter((state) => counts[state] > 0)
      .map((state) => ({ value: state, name: `${STATE_TEXTS[state]} ${counts[state]}` })),
    ...(withoutDate > 0 ? [{ value: 'no-date' as const, name: `Without a date ${withoutDate}` }] : []),
  ];
  return (
    <section aria-labelledby="chosen-files" className="mt-14">
      <h2 id="chosen-files" className="text-title">
        Chosen files
      </h2>
      {choices.length > 2 && <Filters choices={choices} filter={filter} onChoose={setFilter} />}
      <ul
        ref={listRef}
        aria-label="Chosen files"
        className="relative mt-4"
        style={{ height: virtualizer.getTotalSize() }}
      >
        {virtualizer.getVirtualItems().map(({ index, key, start }) => (
          <li
            key={key}
            aria-posinset={index + 1}
            aria-setsize={filtered.length}
            className="absolute inset-x-0 top-0 flex items-center gap-4 border-b border-hairline"
            style={{ height: ROW_PX, transform: `translateY(${start - top}px)` }}
          >
            <Row photo={filtered[index]!} isDone={counts.waiting === 0} onOpen={actions.open} />
          </li>
        ))}
      </ul>
      {dialog && <MemoryDialog {...dialog} />}
    </section>
  );
}

function Filters({
  choices,
  filter,
  onChoose,
}: {
  choices: { value: Filter; name: string }[];
  filter: Filter;
  onChoose: (filter: Filter) => void;
}) {
  return (
    <div role="group" aria-label="Shown files" className="flex flex-wrap gap-x-4">
      {choices.map(({ value, name }) => (
        <button
          key={value}
          type="button"
          aria-pressed={filter === value}
          onClick={() => onChoose(value)}
          className="min-h-11 border-b-2 border-transparent text-small text-muted tabular-nums hover:text-ink aria-pressed:border-accent aria-pressed:text-ink"
        >
          {name}
        </button>
      ))}
    </div>
  );
}

interface RowProps {
  photo: QueuedPhoto;
  /** While photos are sent, rows request nothing. */
  isDone: boolean;
  onOpen: MemoryActions['open'];
}

function Row({ photo, isDone, onOpen }: RowProps) {
  const { state, reason, size, hasDate, memoryId } = photo;
  const isInAlbum = isDone && (state === 'added' || state === 'in-album');
  const memory = useMemory(isInAlbum ? (memoryId ?? '') : '');
  const imageUrl = isLoadedMemory(memory) ? memory.imageUrl : photo.imageUrl;
  const about = (
    <>
      <Thumbnail photo={{ imageUrl }} className="size-11 shrink-0" />
      <span className="min-w-0">
        <span className="block truncate" title={shownPath(photo)}>
          {nameOf(photo)}
        </span>
        <span className="block truncate text-small text-muted">{reason ?? formatBytes(size)}</span>
      </span>
    </>
  );
  return (
    <>
      {isLoadedMemory(memory) ? (
        <button
          type="button"
          aria-haspopup="dialog"
          onClick={({ currentTarget }) => onOpen(memory, currentTarget)}
          className="flex min-w-0 grow items-center gap-4 text-start"
        >
          {about}
        </button>
      ) : (
        <span className="flex min-w-0 grow items-center gap-4">{about}</span>
      )}
      <span className={state === 'failed' ? 'text-small text-danger' : 'text-small text-muted'}>
        {STATE_TEXTS[state]}
        {state === 'added' && !hasDate && ', no date'}
      </span>
    </>
  );
}

function matches({ state, hasDate }: QueuedPhoto, filter: Filter): boolean {
  return filter === 'no-date' ? state === 'added' && !hasDate : state === filter;
}
