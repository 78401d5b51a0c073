import { expect, it } from 'vitest';
import { panorama, panoramaSharpness } from '../../../testing/panorama.ts';
import { renderMarkup } from '../../../testing/render-markup.tsx';
import { TimelineEntry } from './timeline-entry.tsx';

it('does not enlarge the copy of a panorama, which it crops to 2:1', () => {
  const markup = renderMarkup(
    <TimelineEntry memory={panorama} pet={undefined} order="added" isEager onOpen={() => {}} />,
    { memories: [panorama] },
  );
  // In wide windows and in narrow ones.
  expect(panoramaSharpness(markup, 432 / 2)).toEqual([1, 1]);
});
