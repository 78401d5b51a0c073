import { expect, it } from 'vitest';
import { renderMarkup } from '../../../testing/render-markup.tsx';
import { someMemory } from '../../../testing/some-memory.ts';
import { toColumns } from './grid-layout.ts';
import { MemoryGridRow, type GridDivider } from './memory-grid-row.tsx';
import { MemoryCard, type MemoryCardProps } from './memory-card.tsx';

const memories = [1, 2, 3].map((number) => someMemory({ id: String(number) }));
const nothing = () => {};
const actions = { open: nothing, edit: nothing, toggleLike: nothing, share: nothing, remove: nothing };
const markupOf = (mode: MemoryCardProps['mode'], columns: number, divider: GridDivider | null = null) =>
  renderMarkup(
    <MemoryGridRow
      ids={memories.slice(0, columns).map(({ id }) => id)}
      columns={toColumns(columns * 325 + (columns - 1) * 32, columns)}
      start={6}
      total={9}
      divider={divider}
      isEager={false}
      renderCard={(memory, size) => <MemoryCard {...size} memory={memory} mode={mode} actions={actions} />}
    />,
    { memories },
  );

it('a grid row shows prints side by side, with photos sized to their column', () => {
  const markup = markupOf('grid', 3);
  expect(markup.match(/>Untitled Mem</g)).toHaveLength(3);
  expect(markup).toContain('grid-template-columns:repeat(3, minmax(0, 1fr))');
  expect(markup).toContain('sizes="325px"');
  expect(markup).toContain('aria-posinset="9" aria-setsize="9"');
});

it('a list row shows one memory', () => {
  const markup = markupOf('list', 1);
  expect(markup.match(/>Untitled Memory</g)).toHaveLength(1);
  expect(markup).toContain('summer, beach');
  expect(markup).toContain('aria-posinset="7" aria-setsize="9"');
});

it('a divider is in front of its memory, above the row or between two', () => {
  const gridPosition = (markup: string) =>
    markup
      .split('2 new</p>')[0]
      ?.match(/aria-posinset="\d"/g)
      ?.at(-1);
  const [above, between] = [6, 8].map((index) => markupOf('grid', 3, { index, text: '2 new' }));
  expect([gridPosition(above ?? ''), gridPosition(between ?? '')]).toEqual([
    'aria-posinset="7"',
    'aria-posinset="9"',
  ]);
  expect(above).toContain('width:calc(300% + 64px)');
  expect(between).not.toContain('width:calc');
});
