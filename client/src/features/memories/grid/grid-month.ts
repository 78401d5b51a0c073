import type { Memory, MemoryOrder } from '#shared/album/memory';
import { toLocalDay } from '../../../lib/dates.ts';

/** `YYYY-MM`, in the reader's zone: of adding, or of the memory date if it has one. */
export function monthOf({ memoryDate, createdAt }: Memory, order: MemoryOrder): string {
  return ((order === 'taken' && memoryDate) || toLocalDay(createdAt)).slice(0, 7);
}
