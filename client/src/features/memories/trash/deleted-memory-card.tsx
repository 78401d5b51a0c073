import { Trash2 } from 'lucide-react';
import { Button } from '../../../ui/button.tsx';
import { IconButton } from '../../../ui/icon-button.tsx';
import { Tooltip } from '../../../ui/tooltip.tsx';
import { Caption, PrintFigure } from '../memory-print.tsx';
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
  return (
    <PrintFigure memory={memory} width={width} isEager={isEager}>
      <Caption memory={memory} untitled="Untitled Mem" className="line-clamp-1" />
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
    </PrintFigure>
  );
}
