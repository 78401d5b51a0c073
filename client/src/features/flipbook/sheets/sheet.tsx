import type { FlipbookPage } from '#shared/flipbook';
import type { BookLayout } from '../engine/book-engine.ts';
import { CaptionSheet } from './caption-sheet.tsx';
import { Cover } from './cover.tsx';
import { EndCover } from './end-cover.tsx';
import { PhotoSheet } from './photo-sheet.tsx';

interface SheetProps {
  page: FlipbookPage;
  memoryIds: string[];
  layout: BookLayout;
  /** It is being looked at, not only near. */
  isOpen: boolean;
}

/** What stands on one page of the book. */
export function Sheet({ page, memoryIds, layout, isOpen }: SheetProps) {
  const memories = memoryIds.length;
  switch (page.kind) {
    case 'cover':
      return <Cover memories={memories} firstId={memoryIds[0]!} layout={layout} />;
    case 'photo':
      return <PhotoSheet id={memoryIds[page.memory]!} layout={layout} isOpen={isOpen} />;
    case 'caption':
      return <CaptionSheet id={memoryIds[page.memory]!} place={page.memory} memories={memories} />;
    case 'end':
      return <EndCover />;
  }
}
