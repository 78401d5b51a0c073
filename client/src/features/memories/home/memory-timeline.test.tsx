import { expect, it } from 'vitest';
import { renderMarkup } from '../../../testing/render-markup.tsx';
import { someMemory } from '../../../testing/some-memory.ts';
import { somePet } from '../../../testing/some-pet.ts';
import { MemoryTimeline } from './memory-timeline.tsx';

const rex = somePet({ name: 'Rex' });
const markupOf = (memory: Parameters<typeof someMemory>[0]) =>
  renderMarkup(<MemoryTimeline ids={[someMemory(memory).id]} emptyAction={null} />, {
    pets: [rex],
    memories: [someMemory(memory)],
  });

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

it('the timeline tells of the pet and the tags, if a pet is linked that is known', () => {
  const markup = markupOf({ petId: rex.id, tags: ['summer', 'beach'] });
  expect(markup).toContain('>Rex<');
  expect(markup).toContain('>summer, beach<');
  for (const petId of [null, somePet({ id: 'another' }).id])
    expect(markupOf({ petId, tags: ['summer', 'beach'] })).not.toMatch(/>Rex<|summer/);
});
