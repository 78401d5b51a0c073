import { describe, expect, it } from 'vitest';
import type { Caricature } from '#shared/album/caricature';
import { renderMarkup } from '../../testing/render-markup.tsx';
import { someCaricature } from '../../testing/some-caricature.ts';
import { CaricatureCard } from './caricature-card.tsx';

const nothing = () => {};

/** The card's texts, separated by bars. */
function textsOn(
  details: Partial<Caricature>,
  {
    isGeneratorShown = false,
    onRetry = nothing,
  }: { isGeneratorShown?: boolean; onRetry?: typeof nothing | null } = {},
): string {
  return renderMarkup(
    <CaricatureCard
      caricature={someCaricature(details)}
      petName="Rex"
      isGeneratorShown={isGeneratorShown}
      isEager
      menu={[]}
      onOpen={nothing}
      onRetry={onRetry}
    />,
  ).replace(/<[^>]*>+/g, '|');
}

describe('caricature card', () => {
  it('shows the status', () => {
    const imageUrl = '/objects/0191c0de-0000-7000-8000-00000000000d';
    expect(textsOn({ status: 'completed', caricatureImageUrl: imageUrl })).toContain('|Complete|');
    const generating = textsOn({ status: 'generating' });
    expect(generating).toContain('|Creating magic...|');
    expect(generating).toContain('|Creating...|');
    const failed = textsOn({ status: 'failed' });
    expect(failed).toContain('|Generation failed|');
    expect(failed).toContain('|Failed|');
    expect(failed).toContain('|Try creating a new caricature|');
  });

  it('has the text that is shown in its name while it is generated', () => {
    const markup = renderMarkup(
      <CaricatureCard
        caricature={someCaricature({ status: 'generating' })}
        petName="Rex"
        isGeneratorShown={false}
        isEager
        menu={[]}
        onOpen={nothing}
        onRetry={nothing}
      />,
    );
    expect(markup).toMatch(/<button [^>]*aria-label="Creating magic\.\.\. [^"]+"/);
  });

  it('offers a retry only if it may succeed and caricatures are turned on', () => {
    expect(textsOn({ status: 'failed' })).toContain('|Try again|');
    expect(textsOn({ status: 'failed', failureReason: 'moderation' })).not.toContain('Try again|');
    expect(textsOn({ status: 'failed' }, { onRetry: null })).not.toContain('Try again');
  });

  it('names the generator if it differs from the next one', () => {
    expect(textsOn({ artist: 'local' })).not.toContain('Cartoon filter');
    expect(textsOn({ artist: 'local' }, { isGeneratorShown: true })).toContain('Cartoon filter');
    expect(textsOn({ artist: 'openai' }, { isGeneratorShown: true })).toContain('AI-Generated');
  });
});
