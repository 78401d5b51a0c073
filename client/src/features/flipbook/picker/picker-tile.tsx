import type { KeyboardEvent, MouseEvent, Ref } from 'react';
import type { Memory } from '#shared/album/memory';
import { classNames } from '../../../lib/class-names.ts';
import { formatShortDate, formatShortMemoryDate } from '../../../lib/dates.ts';
import { memoryTitle } from '../../../lib/memory-title.ts';
import { SelectionMark } from '../../../ui/selection-mark.tsx';
import { Button } from '../../../ui/buttons/button.tsx';
import { squarePhotoSizes } from '../../../lib/image-sources.ts';
import { MemoryImage } from '../../memories/memory-image.tsx';
import { isLoadedMemory, useMemory } from '../../memories/store/memory-store.ts';

interface PickerTileProps {
  id: string;
  index: number;
  total: number;
  width: number;
  isChosen: boolean;
  isTabStop: boolean;
  onToggle: (isRange: boolean) => void;
  ref?: Ref<HTMLDivElement> | undefined;
}

/** Can be chosen before its memory is loaded. */
export function PickerTile({ id, index, total, width, isChosen, isTabStop, onToggle, ref }: PickerTileProps) {
  const memory = useMemory(id);
  const press = (event: KeyboardEvent) => {
    if (event.key !== ' ' && event.key !== 'Enter') return;
    event.preventDefault();
    onToggle(event.shiftKey);
  };
  return (
    <div
      ref={ref}
      role="option"
      aria-selected={isChosen}
      aria-posinset={index + 1}
      aria-setsize={total}
      tabIndex={isTabStop ? 0 : -1}
      onClick={(event: MouseEvent) => onToggle(event.shiftKey)}
      onKeyDown={press}
      className="group min-w-0 cursor-pointer rounded-print outline-offset-4 select-none"
    >
      <div
        className={classNames(
          'relative aspect-square rounded-print bg-print p-1.5 shadow-print transition-[translate,box-shadow] duration-150 ease-gentle',
          isChosen ? 'ring-3 ring-accent' : 'group-hover:-translate-y-0.5 group-hover:shadow-lifted',
        )}
      >
        {isLoadedMemory(memory) ? (
          <MemoryImage
            memory={memory}
            sizes={squarePhotoSizes(memory, width)}
            className="size-full rounded-[2px]"
          />
        ) : memory !== null && memory !== 'loading' && 'retry' in memory ? (
          <div className="grid size-full place-items-center rounded-[2px] bg-well text-center text-small">
            <Button
              variant="quiet"
              tabIndex={-1}
              size="small"
              className="px-1"
              onClick={(event) => {
                event.stopPropagation();
                memory.retry();
              }}
            >
              Try again
            </Button>
          </div>
        ) : (
          <div className="size-full rounded-[2px] bg-well" />
        )}
        <SelectionMark isSelected={isChosen} />
      </div>
      <div className="h-12 pt-1.5 text-small leading-5">
        {isLoadedMemory(memory) && <TileText memory={memory} />}
      </div>
    </div>
  );
}

function TileText({ memory }: { memory: Memory }) {
  return (
    <>
      <p
        dir="auto"
        // The photo's description contains it.
        aria-hidden={!!memory.caption}
        className={classNames('truncate', !memory.caption && 'text-muted italic')}
      >
        {memoryTitle(memory)}
      </p>
      <p className="truncate text-muted tabular-nums">
        {memory.memoryDate ? formatShortMemoryDate(memory.memoryDate) : formatShortDate(memory.createdAt)}
      </p>
    </>
  );
}
