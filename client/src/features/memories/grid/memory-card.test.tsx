import { describe, expect, it } from 'vitest';
import { panorama, panoramaSharpness } from '../../../testing/panorama.ts';
import { renderMarkup } from '../../../testing/render-markup.tsx';
import type { Memory } from '#shared/album/memory';
import { toLocalDay } from '../../../lib/dates.ts';
import { someMemory } from '../../../testing/some-memory.ts';
import { MemoryCard, type MemoryCardProps } from './memory-card.tsx';

const memory = someMemory();
const nothing = () => {};
const actions = { open: nothing, edit: nothing, toggleLike: nothing, share: nothing, remove: nothing };
const markupOf = (mode: MemoryCardProps['mode']) =>
  toPlainSpaces(renderMarkup(<MemoryCard memory={memory} mode={mode} width={300} actions={actions} />));
const toPlainSpaces = (text: string) => text.replaceAll('\u00a0', ' ');

// The e2e tests cover what the buttons do.
describe.each(['grid', 'list'] as const)('a memory card in %s mode', (mode) => {
  it('shows the age and the buttons', () => {
    const markup = markupOf(mode);
    expect(markup).toContain('Just now');
    expect(markup).toContain('aria-label="Edit Photo of March 1, 2026"');
    expect(markup).toContain('aria-label="More actions for Photo of March 1, 2026"');
    expect(markup).toContain('aria-pressed="true" aria-label="Love Photo of March 1, 2026"');
  });
});

it.each(['grid', 'list'] as const)('a card in %s mode has few nodes: a gallery mounts dozens', (mode) => {
  expect(markupOf(mode).match(/<[a-z]/g)!.length).toBeLessThanOrEqual(18);
});

it('a row has its buttons in the order of the Tab key', () => {
  const buttons = [...markupOf('list').matchAll(/aria-label="(More|Edit|Love) /g)].map(([, name]) => name);
  expect(buttons).toEqual(['More', 'Edit', 'Love']);
  expect(markupOf('list')).not.toContain('-reverse');
});

it('a card has a caption of one line where its column is narrow', () => {
  const card = (width: number) =>
    renderMarkup(<MemoryCard memory={memory} mode="grid" width={width} actions={actions} />);
  expect(card(152)).toContain('truncate');
  expect(card(240)).toContain('line-clamp-2');
});

it('a card without a caption has a title for its mode, and can be opened', () => {
  expect(markupOf('grid')).toMatch(/>Untitled Mem</);
  expect(markupOf('list')).toMatch(/>Untitled Memory</);
  expect(markupOf('grid')).toContain('aria-label="Open ');
  expect(markupOf('list')).toContain('aria-label="Open ');
});

it.each([
  ['grid', 300 / 2],
  ['list', 96],
] as const)('a card in %s mode does not enlarge the copy of a panorama', (mode, frameHeight) => {
  const card = <MemoryCard memory={panorama} mode={mode} width={300} actions={actions} />;
  expect(panoramaSharpness(renderMarkup(card), frameHeight)).toEqual([1]);
});

it('a card shows the day taken beside its age, unless it was added on that day', () => {
  const card = (details: Partial<Memory>) =>
    toPlainSpaces(
      renderMarkup(<MemoryCard memory={someMemory(details)} mode="grid" width={300} actions={actions} />),
    ).replace(/<[^>]*>/g, '');
  const createdAt = new Date().toISOString();
  expect(card({ createdAt, memoryDate: '2019-05-31T08:30' })).toContain('May 31, 2019 · Just now');
  expect(card({ createdAt, memoryDate: toLocalDay(createdAt) })).toMatch(/(?<!· )Just now/);
});
