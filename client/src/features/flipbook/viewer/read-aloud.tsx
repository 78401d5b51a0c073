import { flipbookPageAt, flipbookTexts, type FlipbookPage } from '#shared/flipbook';
import type { Memory } from '#shared/memory';
import { whenOf } from '../../../lib/memory-text.ts';
import type { SoughtMemory } from '../../memories/memories-by-id-api.ts';
import { isMemory } from '../is-memory.ts';
import type { Spread } from '../spreads.ts';
import { placeOf } from './page-bar.tsx';

interface ReadAloudProps {
  spread: Spread;
  total: number;
  memories: number;
  memoryAt: (memory: number) => SoughtMemory;
}

/** What a screen reader says when other pages lie open. */
export function ReadAloud({ spread, total, memories, memoryAt }: ReadAloudProps) {
  const { first, last } = spread;
  const pages = [flipbookPageAt(first, memories), ...(last > first ? [flipbookPageAt(last, memories)] : [])];
  const words = pages.map((page) => wordsOn(page, memories, memoryAt));
  return (
    <p role="status" className="sr-only">
      {[placeOf(spread, total), ...words].join('. ')}
    </p>
  );
}

function wordsOn(page: FlipbookPage, memories: number, memoryAt: ReadAloudProps['memoryAt']): string {
  const { title, count, end, place } = flipbookTexts;
  if (page.kind === 'cover') return `${title}, ${count(memories)}`;
  if (page.kind === 'end') return end;
  const memory = memoryAt(page.memory);
  if (page.kind === 'photo') return `${place(page.memory, memories)}, photo`;
  return isMemory(memory) ? story(memory) : 'Loading...';
}

function story(memory: Memory): string {
  return [memory.caption || flipbookTexts.untitled, ...memory.tags, whenOf(memory)].join(', ');
}
