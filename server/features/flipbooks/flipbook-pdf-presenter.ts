import type { FlipbookPdf } from '#shared/flipbook';
import type { FlipbookPdfRow } from './flipbook-pdf-queries.ts';

export function presentFlipbookPdf({ id, status, memoriesDone, memoryIds }: FlipbookPdfRow): FlipbookPdf {
  const isCompleted = status === 'completed';
  return {
    id,
    status,
    // All written, it still has to be stored.
    progress: isCompleted ? 100 : Math.min(99, Math.floor((100 * memoriesDone) / memoryIds.length)),
    url: isCompleted ? `/api/flipbooks/pdf/${id}/file` : null,
  };
}
