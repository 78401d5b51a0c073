import type { FlipbookPage } from '#shared/flipbook';
import type { SoughtMemory } from '../../memories/memories-by-id-api.ts';
import type { BookLayout } from '../engine/book-engine.ts';
import { CaptionSheet } from './caption-sheet.tsx';
import { Cover } from './cover.tsx';
import { EndCover } from './end-cover.tsx';
import { PhotoSheet } from './photo-sheet.tsx';

interface SheetProps {
  page: FlipbookPage;
  memories: number;
  memoryAt: (memory: number) => SoughtMemory;
  layout: BookLayout;
  /** It is being looked at, not only near. */
  isOpen: boolean;
}

/** What stands on one page of the book. */
export function Sheet({ page, memories, memoryAt, layout, isOpen }: SheetProps) {
  switch (page.kind) {
    case 'cover':
      return <Cover memories={memories} first={memoryAt(0)} layout={layout} />;
    case 'photo':
      return <PhotoSheet memory={memoryAt(page.memory)} layout={layout} isOpen={isOpen} />;
    case 'caption':
      return <CaptionSheet memory={memoryAt(page.memory)} place={page.memory} memories={memories} />;
    case 'end':
      return <EndCover />;
  }
}
