import { describe, expect, it } from 'vitest';
import type { Caricature } from '#shared/caricature';
import { renderMarkup } from '../../../testing/render-markup.tsx';
import { someCaricature } from '../../../testing/some-caricature.ts';
import { CaricatureCard } from './caricature-card.tsx';

/** The words on the card, one after the other. */
function wordsOn(details: Partial<Caricature>, isArtistTold = false): string {
  const nothing = () => {};
  return renderMarkup(
    <CaricatureCard
      caricature={someCaricature(details)}
      petName="Rex"
      isArtistTold={isArtistTold}
      isEager
      menu={[]}
      onOpen={nothing}
      onTryAgain={nothing}
    />,
  ).replace(/<[^>]*>+/g, '|');
}

describe('the card of a caricature', () => {
  it('says what has become of it', () => {
    const imageUrl = '/objects/0191c0de-0000-7000-8000-00000000000d';
    expect(wordsOn({ status: 'completed', caricatureImageUrl: imageUrl })).toContain('|Complete|');
    const generating = wordsOn({ status: 'generating' });
    expect(generating).toContain('|Creating magic...|');
    expect(generating).toContain('|Creating...|');
    const failed = wordsOn({ status: 'failed' });
    expect(failed).toContain('|Generation failed|');
    expect(failed).toContain('|Failed|');
    expect(failed).toContain('|Try creating a new caricature|');
  });

  it('says who made it where that may be somebody else', () => {
    expect(wordsOn({ artist: 'local' })).not.toContain('Cartoon filter');
    expect(wordsOn({ artist: 'local' }, true)).toContain('Cartoon filter');
    expect(wordsOn({ artist: 'openai' }, true)).toContain('AI-Generated');
  });
});
