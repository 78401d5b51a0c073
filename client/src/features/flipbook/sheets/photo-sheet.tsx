import type { Memory } from '#shared/memory';
import { Button } from '../../../ui/button.tsx';
import { Photo } from '../../../ui/photo.tsx';
import { isMemory, useMemory } from '../../memories/store/memory-store.ts';
import { useImageDescription } from '../../memories/use-image-description.ts';
import type { BookLayout } from '../engine/book-engine.ts';
import { fitPhoto } from './fit-photo.ts';

interface PhotoSheetProps {
  id: string;
  layout: BookLayout;
  isOpen: boolean;
}

/** A print in the middle of its page, whole and upright. */
export function PhotoSheet({ id, layout, isOpen }: PhotoSheetProps) {
  const memory = useMemory(id);
  return (
    <div className="book-paper grid place-items-center">
      {isMemory(memory) ? (
        <Print memory={memory} layout={layout} isOpen={isOpen} />
      ) : memory === 'loading' ? (
        <div className="h-2/3 w-4/5 animate-breathe rounded-print bg-well" />
      ) : memory === null || !('retry' in memory) ? (
        <p className="p-8 text-center text-balance text-muted">This memory is no longer available.</p>
      ) : (
        <div className="space-y-3 p-8 text-center">
          <p className="text-muted">This memory could not be loaded.</p>
          <Button variant="secondary" onClick={memory.retry}>
            Try again
          </Button>
        </div>
      )}
    </div>
  );
}

function Print({ memory, layout, isOpen }: { memory: Memory; layout: BookLayout; isOpen: boolean }) {
  const { width, height } = fitPhoto(memory, layout);
  const description = useImageDescription(memory);
  return (
    <div className="book-print">
      <Photo
        photo={memory}
        description={description}
        sizes={`${width}px`}
        isEager
        isFirst={isOpen}
        style={{ width, height }}
      />
    </div>
  );
}
