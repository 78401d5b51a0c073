import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { someMemory } from '../../testing/some-memory.ts';
import { MemoryTimeline } from './memory-timeline.tsx';

const markupOf = (memory: Parameters<typeof someMemory>[0]) =>
  renderToStaticMarkup(<MemoryTimeline memories={[someMemory(memory)]} emptyAction={null} />);

it('the timeline tells the day and the caption of a memory', () => {
  const markup = markupOf({ createdAt: '2026-03-01T12:00:00.000Z', caption: 'At the lake' });
  expect(markup).toContain('>Mar 1, 2026<');
  expect(markup).toContain('>At the lake<');
});

it('the timeline has kind words for a memory without a caption, or without a day that can be read', () => {
  const markup = markupOf({ createdAt: '', caption: null });
  expect(markup).toContain('>A special day<');
  expect(markup).toContain('>A beautiful moment<');
});
