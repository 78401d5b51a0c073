import type { CaricatureStyle } from '#shared/caricature';

const STYLE_WORDS: Record<CaricatureStyle, string> = {
  comic: 'a comic book: bold black ink outlines, flat bright colors, few tones',
  watercolour:
    'a watercolor painting: soft wet edges, pigment that bleeds, white paper left around the animal',
  pencil: 'a graphite pencil sketch: fine strokes that follow the fur or feathers, light paper, no color',
  'pop-art': 'sixties pop art: halftone dots, thick outlines, four strong flat colors',
};

const QUESTION = [
  'Turn this photo into a warm, funny caricature of the animal in it, drawn as {style}.',
  'Exaggerate its expression and its most typical features a little, lovingly.',
  'It must be recognized as this very animal: keep its species and breed, the colors and markings of its coat,',
  'the color of its eyes, its pose, and a collar if it wears one.',
  'Keep the background simple. No text, letters, captions, signatures, frames or speech balloons.',
].join(' ');

/** What is asked for a style. @param question of the installation's own, {style} standing for the style's words */
export function composePrompt(style: CaricatureStyle, question: string | null): string {
  return (question ?? QUESTION).replaceAll('{style}', () => STYLE_WORDS[style]);
}
