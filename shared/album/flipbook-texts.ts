import { formatLongDay } from '../dates/calendar-date.ts';
import { IMAGE_NOT_FOUND, UNTITLED_MEMORY } from './memory.ts';

/** The PDF and the viewer share these. */
export const flipbookTexts = {
  title: 'Memory Flipbook',
  count: (memories: number) => `${memories} Beautiful ${memories === 1 ? 'Memory' : 'Memories'}`,
  dedication: 'Created with love',
  untitled: UNTITLED_MEMORY,
  position: (memory: number, memories: number) => `Memory ${memory + 1} of ${memories}`,
  missingPhoto: IMAGE_NOT_FOUND,
  end: 'The End',
  /** `today` is in the reader's time zone. */
  createdOn: (today: string) => `Created on ${formatLongDay(today)}`,
  madeWith: 'Made with Mems Are Forever',
};
