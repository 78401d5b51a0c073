import type { WalkedList } from '../details/memory-walk.ts';
import { sectionOfPlace, type Section, type TimelineLayout } from './timeline-layout.ts';
import type { RowMemory } from './use-timeline-memories.ts';

interface Way {
  memoryAt: (section: Section, position: number) => RowMemory;
  failure: unknown;
  revealRow: (row: number) => void;
}

/** The timeline as the list that an open memory is walked through: what comes into sight is loaded. */
export function walkedTimeline(layout: TimelineLayout, { memoryAt, failure, revealRow }: Way): WalkedList {
  const rowMemoryAt = (place: number): RowMemory => {
    const section = sectionOfPlace(layout, place);
    return section ? memoryAt(section, place - section.before) : null;
  };
  return {
    count: layout.memoryCount,
    failure,
    at: (place) => {
      const memory = rowMemoryAt(place);
      return memory && memory !== 'loading' && 'id' in memory ? memory : undefined;
    },
    reveal: (place) => {
      const memory = rowMemoryAt(place);
      if (memory && memory !== 'loading' && 'retry' in memory) memory.retry();
      const section = sectionOfPlace(layout, place);
      if (section) revealRow(section.firstRow + 1 + place - section.before);
    },
  };
}
