import { flipbookPageAt, flipbookTexts, type FlipbookPage } from '#shared/flipbook';
import type { Memory } from '#shared/memory';
import { whenOf } from '../../../lib/memory-text.ts';
import { isMemory, useMemory, type LoadedMemory } from '../../memories/store/memory-store.ts';
import type { Spread } from '../spreads.ts';
import { placeOf } from './page-bar.tsx';

interface ReadAloudProps {
  spread: Spread;
  total: number;
  memoryIds: string[];
}

/** What a screen reader says when other pages lie open. */
export function ReadAloud({ spread, total, memoryIds }: ReadAloudProps) {
  const { first, last } = spread;
  const memories = memoryIds.length;
  const pages = [flipbookPageAt(first, memories), ...(last > first ? [flipbookPageAt(last, memories)] : [])];
  // Two pages beside each other are of one memory.
  const caption = pages.find((page) => page.kind === 'caption');
  const memory = useMemory(caption ? memoryIds[caption.memory]! : '');
  const texts = pages.map((page) => textOf(page, memories, memory));
  return (
    <p role="status" className="sr-only">
      {[placeOf(spread, total), ...texts].join('. ')}
    </p>
  );
}

function textOf(page: FlipbookPage, memories: number, memory: LoadedMemory): string {
  const { title, count, end, place } = flipbookTexts;
  if (page.kind === 'cover') return `${title}, ${count(memories)}`;
  if (page.kind === 'end') return end;
  if (page.kind === 'photo') return `${place(page.memory, memories)}, photo`;
  return isMemory(memory) ? story(memory) : 'Loading...';
}

function story(memory: Memory): string {
  return [memory.caption || flipbookTexts.untitled, ...memory.tags, whenOf(memory)].join(', ');
}
