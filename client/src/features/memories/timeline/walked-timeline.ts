import type { WalkedList } from '../details/memory-walk.ts';
import { sectionOfPlace, type Section, type TimelineLayout } from './timeline-layout.ts';
import type { RowMemory } from './use-timeline-memories.ts';

/** The timeline as the list that an open memory is walked through: what comes into sight is loaded. */
export function walkedTimeline(
  layout: TimelineLayout,
  memoryAt: (section: Section, position: number) => RowMemory,
  revealRow: (row: number) => void,
): WalkedList {
  return {
    count: layout.memoryCount,
    at: (place) => {
      const section = sectionOfPlace(layout, place);
      const memory = section && memoryAt(section, place - section.before);
      return memory && memory !== 'loading' && 'id' in memory ? memory : undefined;
    },
    reveal: (place) => {
      const section = sectionOfPlace(layout, place);
      if (section) revealRow(section.firstRow + 1 + place - section.before);
    },
  };
}
