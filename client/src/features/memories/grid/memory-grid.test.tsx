// @vitest-environment jsdom
import { QueryClientProvider } from '@tanstack/react-query';
import { act, screen } from '@testing-library/react';
import { useCallback, useState } from 'react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createQueryClient } from '../../../lib/api/query-client.ts';
import { MemoryServer } from '../../../testing/memory-server.ts';
import { setUpComponents, showPage } from '../../../testing/component.tsx';
import { someMemory } from '../../../testing/some-memory.ts';
import { useMemoryList } from '../store/memory-lists.ts';
import { MemoryDialog } from '../details/memory-dialog.tsx';
import { MemoryGrid, useMemoryCards } from './memory-grid.tsx';
import type { RenderCard } from './memory-grid-row.tsx';

/** The estimated height of a row. */
const ROW_PX = 141;
const memories = Array.from({ length: 90 }, (_, index) =>
  someMemory({ id: `0191c0de-0000-7000-8000-${String(index).padStart(12, '0')}`, caption: `Day ${index}` }),
);

setUpComponents();

/** jsdom has no layout: the list is 1000 pixels wide, and five rows are in view. */
beforeEach(() => {
  vi.stubGlobal('fetch', new MemoryServer(memories).fetch);
  class NoObserver {
    observe() {}
    unobserve() {}
    disconnect() {}
  }
  vi.stubGlobal('ResizeObserver', NoObserver);
  vi.stubGlobal('IntersectionObserver', NoObserver);
  vi.spyOn(HTMLElement.prototype, 'getBoundingClientRect').mockReturnValue(new DOMRect(0, 0, 1000, 0));
  vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(5 * ROW_PX);
  vi.spyOn(HTMLElement.prototype, 'offsetHeight', 'get').mockReturnValue(ROW_PX);
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

it('renders each card once while 20 rows scroll by', async () => {
  const renders = new Map<string, number>();
  showPage(
    <QueryClientProvider client={createQueryClient(() => {})}>
      <List onRender={(id) => renders.set(id, (renders.get(id) ?? 0) + 1)} />
    </QueryClientProvider>,
  );
  await screen.findByText('Day 0');
  renders.clear();
  for (let top = 0; top <= 20 * ROW_PX; top += 47) {
    const scroller = screen.getByTestId('scroller');
    scroller.scrollTop = top;
    act(() => void scroller.dispatchEvent(new Event('scroll')));
  }
  expect(screen.queryByText('Day 0')).toBeNull();
  expect(screen.getByText('Day 20')).toBeTruthy();
  expect(renders.size, 'rows that came into view').toBeGreaterThanOrEqual(20);
  expect([...renders.values()].filter((count) => count > 1)).toEqual([]);
});

function List({ onRender }: { onRender: (id: string) => void }) {
  const [list] = useMemoryList({});
  const { renderCard } = useMemoryCards(list, 'list', MemoryDialog);
  const countedCard: RenderCard = useCallback(
    (memory, size) => {
      onRender(memory.id);
      return renderCard(memory, size);
    },
    [onRender, renderCard],
  );
  const [scroller, setScroller] = useState<HTMLElement | null>(null);
  return (
    <div ref={setScroller} data-testid="scroller">
      {list.ids && (
        <MemoryGrid memories={list} mode="list" maxColumns={1} scroller={scroller} renderCard={countedCard} />
      )}
    </div>
  );
}
