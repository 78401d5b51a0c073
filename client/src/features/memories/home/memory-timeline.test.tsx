import { expect, it } from 'vitest';
import { panorama, panoramaSharpness } from '../../../testing/panorama.ts';
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

it('shows the day and the caption of a memory', () => {
  const markup = markupOf({ createdAt: '2026-03-01T12:00:00.000Z', caption: 'At the lake' });
  expect(markup).toContain('>Mar 1, 2026<');
  expect(markup).toContain('>At the lake<');
});

it('shows fallback texts for a missing caption and an invalid date', () => {
  const markup = markupOf({ createdAt: '', caption: null });
  expect(markup).toContain('>A special day<');
  expect(markup).toContain('>A beautiful moment<');
});

it('shows the pet and the tags only if the linked pet exists', () => {
  const markup = markupOf({ petId: rex.id, tags: ['summer', 'beach'] });
  expect(markup).toContain('>Rex<');
  expect(markup.replace(/<[^>]*>/g, '')).toContain('summer, beach');
  expect(markup).toContain(`href="/gallery?pet=${rex.id}"`);
  expect(markup).toContain('href="/gallery?q=summer"');
  for (const petId of [null, somePet({ id: 'another' }).id])
    expect(markupOf({ petId, tags: ['summer', 'beach'] })).not.toMatch(/>Rex<|summer/);
});

it('does not enlarge the copy of a panorama', () => {
  expect(panoramaSharpness(markupOf(panorama), 128)).toEqual([1]);
});
