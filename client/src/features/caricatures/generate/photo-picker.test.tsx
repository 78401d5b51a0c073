import { expect, it } from 'vitest';
import { panorama, panoramaSharpness } from '../../../testing/panorama.ts';
import { renderMarkup } from '../../../testing/render-markup.tsx';
import { PhotoPicker } from './photo-picker.tsx';

it('does not enlarge the copy of a panorama', () => {
  const markup = renderMarkup(
    <PhotoPicker ids={[panorama.id]} pets={[]} chosenId={undefined} onChoose={() => {}} legendId="legend" />,
    { memories: [panorama] },
  );
  // In wide windows and in narrow ones.
  expect(panoramaSharpness(markup, 120)).toEqual([1, 1]);
});
