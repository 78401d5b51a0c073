import { describe, expect, it } from 'vitest';
import type { Memory } from '#shared/album/memory';
import type { Pet } from '#shared/album/pet';
import { renderMarkup } from '../../../testing/render-markup.tsx';
import { someMemory } from '../../../testing/some-memory.ts';
import { somePet } from '../../../testing/some-pet.ts';
import { GenerateCard } from './generate-card.tsx';
import { pickablePhotos } from './use-pickable-photos.ts';

const memories = Array.from({ length: 20 }, (_, index) => someMemory({ id: `memory-${index}` }));

function markupOf(
  memories: Memory[],
  chosen: Memory | null,
  { petId = '', pets = [] as Pet[] } = {},
): string {
  const nothing = () => {};
  return renderMarkup(
    <GenerateCard
      photoIds={pickablePhotos(
        memories.map(({ id }) => id),
        chosen?.id,
      )}
      count={memories.length}
      chosen={chosen}
      onChoose={nothing}
      petId={petId}
      pets={pets}
      options={{
        enabled: true,
        artist: 'local',
        styles: ['comic'],
        remaining: 9,
        limit: 10,
        service: null,
        consentNeeded: false,
      }}
      isPhotoPreselected={false}
      isPending={false}
      isBlocked={false}
      onStart={nothing}
    />,
    { pets, memories: chosen ? [...memories, chosen] : memories },
  );
}
const plain = (markup: string) => markup.replace(/<[^>]*>/g, '');

describe('generate card', () => {
  it('shows at most 15 photos and the total', () => {
    const markup = markupOf(memories, null);
    // The other radio is the style.
    expect(markup.match(/type="radio"/g)).toHaveLength(15 + 1);
    expect(plain(markup)).toContain('20 photos');
    expect(plain(markup)).toContain('Showing 15 of 20 memories');
    expect(plain(markup)).toContain('9 of 10 left today');
    expect(plain(markupOf(memories.slice(0, 15), null))).not.toContain('Showing');
    expect(plain(markupOf(memories.slice(0, 1), null))).toContain('1 photo');
  });

  it('asks for the pet of a photo without one, unless a pet filter is set', () => {
    const pets = [somePet({ name: 'Rex' })];
    const nameless = someMemory({ petId: null });
    const question = 'Who is in this photo?';
    expect(plain(markupOf([nameless], nameless, { pets }))).toContain(question);
    expect(plain(markupOf([nameless], nameless, { pets }))).toContain('Rex');
    expect(plain(markupOf([nameless], null, { pets }))).not.toContain(question);
    expect(plain(markupOf([nameless], nameless, { pets, petId: pets[0]!.id }))).not.toContain(question);
    const ofRex = someMemory({ petId: pets[0]!.id });
    expect(plain(markupOf([ofRex], ofRex, { pets }))).not.toContain(question);
  });

  it('links to adding the first pet', () => {
    const nameless = someMemory({ petId: null });
    expect(markupOf([nameless], nameless)).toMatch(/href="\/pets"[^>]*>Add your first pet/);
  });

  it('disables the button without a photo', () => {
    const button = /<button[^>]*disabled=""[^>]*>.*Create Caricature/;
    expect(markupOf(memories, null)).toMatch(button);
    expect(plain(markupOf(memories, null))).not.toContain('Photo Selected');
    expect(markupOf(memories, memories[3]!)).not.toMatch(button);
    expect(plain(markupOf(memories, memories[3]!))).toContain('Photo Selected');
  });
});
