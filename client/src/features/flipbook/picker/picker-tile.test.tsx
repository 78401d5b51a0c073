import { expect, it } from 'vitest';
import { panorama, panoramaSharpness } from '../../../testing/panorama.ts';
import { renderMarkup } from '../../../testing/render-markup.tsx';
import { PickerTile } from './picker-tile.tsx';

it.each([92, 148])('does not enlarge the copy of a panorama in a tile of %i px', (width) => {
  const markup = renderMarkup(
    <PickerTile
      id={panorama.id}
      index={0}
      total={1}
      width={width}
      isChosen={false}
      isTabStop
      onToggle={() => {}}
    />,
    { memories: [panorama] },
  );
  expect(panoramaSharpness(markup, width)).toEqual([1]);
});
