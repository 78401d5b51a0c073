import { describe, expect, it } from 'vitest';
import type { Memory } from '#shared/memory';
import { renderMarkup } from '../../../testing/render-markup.tsx';
import { someMemory } from '../../../testing/some-memory.ts';
import { GenerateCard } from './generate-card.tsx';
import { pickablePhotos } from './pickable-photos.ts';

const memories = Array.from({ length: 20 }, (_, index) => someMemory({ id: `memory-${index}` }));

function markupOf(memories: Memory[], chosen: Memory | null): string {
  const nothing = () => {};
  return renderMarkup(
    <GenerateCard
      photos={pickablePhotos(memories, chosen)}
      count={memories.length}
      chosen={chosen}
      onChoose={nothing}
      petId=""
      pets={[]}
      options={{
        enabled: true,
        artist: 'local',
        styles: ['comic'],
        remaining: 9,
        limit: 10,
        service: null,
        consentNeeded: false,
      }}
      isCalled={false}
      isPending={false}
      isHeld={false}
      onOrder={nothing}
    />,
  );
}
const plain = (markup: string) => markup.replace(/<[^>]*>/g, '');

describe('where a caricature begins', () => {
  it('shows fifteen photos of more, and says of how many', () => {
    const markup = markupOf(memories, null);
    // And one style.
    expect(markup.match(/type="radio"/g)).toHaveLength(15 + 1);
    expect(plain(markup)).toContain('20 photos');
    expect(plain(markup)).toContain('Showing 15 of 20 memories');
    expect(plain(markup)).toContain('9 of 10 left today');
    expect(plain(markupOf(memories.slice(0, 15), null))).not.toContain('Showing');
    expect(plain(markupOf(memories.slice(0, 1), null))).toContain('1 photo');
  });

  it('begins none without a photo', () => {
    const button = /<button[^>]*disabled=""[^>]*>.*Create Caricature/;
    expect(markupOf(memories, null)).toMatch(button);
    expect(plain(markupOf(memories, null))).not.toContain('Photo Selected');
    expect(markupOf(memories, memories[3]!)).not.toMatch(button);
    expect(plain(markupOf(memories, memories[3]!))).toContain('Photo Selected');
  });
});
