import { Trash2 } from 'lucide-react';
import { classNames } from '../../../lib/class-names.ts';
import { Button } from '../../../ui/button.tsx';
import { IconButton } from '../../../ui/icon-button.tsx';
import { Tooltip } from '../../../ui/tooltip.tsx';
import { aspectOf } from '../memory-aspect.ts';
import { MemoryImage } from '../memory-image.tsx';
import { useImageDescription } from '../use-image-description.ts';
import type { StoredMemory } from '../store/memory-store.ts';
import { daysLeftLabel } from './days-left.ts';

interface DeletedMemoryCardProps {
  memory: StoredMemory;
  /** How wide the whole card is on the screen. */
  width: number;
  isEager: boolean;
  onRestore: () => void;
  onDeleteForGood: () => void;
}

/** A print in the trash: how long it stays there, and the ways out. */
export function DeletedMemoryCard({
  memory,
  width,
  isEager,
  onRestore,
  onDeleteForGood,
}: DeletedMemoryCardProps) {
  const description = useImageDescription(memory);
  const aspect = aspectOf(memory);
  const widthShare = Math.min(1, aspect);
  return (
    <figure className="row-span-2 grid min-w-0 grid-cols-[minmax(0,1fr)] grid-rows-subgrid">
      <div className="flex items-end justify-center">
        <div className="rounded-print bg-print p-2 shadow-print" style={{ width: `${widthShare * 100}%` }}>
          <MemoryImage
            memory={memory}
            isEager={isEager}
            sizes={`${Math.round(widthShare * width)}px`}
            style={{ aspectRatio: aspect }}
            className="rounded-[2px]"
          />
        </div>
      </div>
      <figcaption className="pt-3 pb-8 text-center">
        <p
          dir="auto"
          className={classNames(
            'line-clamp-1 font-display font-medium wrap-anywhere',
            !memory.caption && 'text-muted italic',
          )}
        >
          {memory.caption || 'Untitled Mem'}
        </p>
        <p className="text-small text-balance text-muted tabular-nums">
          {memory.deletedAt && daysLeftLabel(memory.deletedAt)}
        </p>
        <div className="mt-2 flex items-center justify-center gap-1">
          <Button variant="secondary" aria-label={`Restore ${description}`} onClick={onRestore}>
            Restore
          </Button>
          <Tooltip text="Delete for good">
            <IconButton
              aria-haspopup="dialog"
              name={`Delete ${description} for good`}
              tone="danger"
              onClick={onDeleteForGood}
            >
              <Trash2 className="size-4.5" />
            </IconButton>
          </Tooltip>
        </div>
      </figcaption>
    </figure>
  );
}
