import type { Memory } from '#shared/album/memory';
import {
  GRID_PAGE,
  HOME_GRID_SCROLLER,
  isEagerRow,
  MAX_GALLERY_COLUMNS,
  MAX_HOME_COLUMNS,
  toColumns,
} from './features/memories/grid/grid-layout.ts';
import { listPhotoSizes, printPhotoSizes } from './features/memories/print/print-layout.ts';
import { toImageSources } from './lib/image-sources.ts';

/* A separate script, which requests the first tiles while the app is loading. page-html.ts links it before the app. */

const grids: Record<string, { frames: string[]; maxColumns: number }> = {
  '/': { frames: [GRID_PAGE, HOME_GRID_SCROLLER], maxColumns: MAX_HOME_COLUMNS },
  '/gallery': { frames: [GRID_PAGE], maxColumns: MAX_GALLERY_COLUMNS },
};
/** Referenced, so that the browser keeps them until the app shows them. */
const tiles: HTMLImageElement[] = [];

const grid = grids[location.pathname];
const path = document.querySelector('link[as="fetch"][href^="/api/memories?"]')?.getAttribute('href');
// The state may be a scroll position: then other tiles are in view.
if (grid && path && history.state === null) requestTiles(grid, path).catch(() => undefined);

async function requestTiles(grid: (typeof grids)[string], path: string): Promise<void> {
  globalThis.earlyResponse = { path, response: fetch(path, { credentials: 'include' }) };
  const response = await globalThis.earlyResponse.response;
  if (!response.ok) return;
  // A copy, since the app reads the response, too.
  const memories = (await response.clone().json()) as Memory[];
  const isList = new URLSearchParams(location.search).get('view') === 'list';
  const width = measureWidth(grid.frames);
  const columns = toColumns(width, isList ? 1 : grid.maxColumns);
  memories.forEach((memory, index) => {
    if (!isEagerRow(Math.floor(index / columns.count), columns.count)) return;
    const tile = new Image();
    tile.sizes = isList ? listPhotoSizes(memory) : printPhotoSizes(memory, columns.widthPx);
    tile.srcset = toImageSources(memory.imageUrl).srcSet;
    tiles.push(tile);
  });
}

/** The width that the grid will have, also where scrollbars take space. */
function measureWidth(frames: string[]): number {
  const { style } = document.documentElement;
  style.overflowY = 'scroll';
  const elements = [...frames, ''].map((className) =>
    Object.assign(document.createElement('div'), { className }),
  );
  elements.reduce((outer, inner) => outer.appendChild(inner), document.body);
  const width = elements.at(-1)?.getBoundingClientRect().width ?? 0;
  elements[0]?.remove();
  style.overflowY = '';
  return width;
}
