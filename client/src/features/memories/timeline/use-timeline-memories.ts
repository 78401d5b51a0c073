import type { VirtualItem } from '@tanstack/react-virtual';
import type { Memory, MemoryOrder } from '#shared/memory';
import { useMemoryRuns, type MemoryRun } from './memory-months-api.ts';
import { stretchesBetween, type Section, type Stretch, type TimelineLayout } from './timeline-layout.ts';

/** Fetched before they come into the page. */
const ROWS_AHEAD = 10;

/** What a row of the timeline shows; null when its memory has gone since the months were counted. */
export type RowMemory = Memory | 'loading' | { retry: () => void } | null;

/** Fetches what the rows in the page show, and a little more. */
export function useTimelineMemories(order: MemoryOrder, layout: TimelineLayout, rows: VirtualItem[]) {
  const [first, last] = [rows[0], rows.at(-1)];
  const reaches =
    first && last ? [...stretchesBetween(layout, first.index - ROWS_AHEAD, last.index + ROWS_AHEAD)] : [];
  const runs = useMemoryRuns(
    order,
    reaches.map(([{ cursor }, reach]) => ({ cursor, reach })),
  );
  const runOf = new Map<Stretch, MemoryRun>();
  for (const [index, [stretch]] of reaches.entries()) runOf.set(stretch, runs[index]!);
  return {
    memoryAt: ({ stretch, offset }: Section, position: number) =>
      memoryIn(runOf.get(stretch), offset + position),
    failure: runs.find(({ isFailed }) => isFailed)?.error ?? null,
  };
}

function memoryIn(run: MemoryRun | undefined, position: number): RowMemory {
  const memory = run?.memories[position];
  if (memory) return memory;
  if (run?.isFailed) return { retry: run.retry };
  return run?.isWhole ? null : 'loading';
}
