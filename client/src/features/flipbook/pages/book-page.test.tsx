import { expect, it } from 'vitest';
import { panorama, panoramaSharpness } from '../../../testing/panorama.ts';
import { renderMarkup } from '../../../testing/render-markup.tsx';
import { someMemory } from '../../../testing/some-memory.ts';
import { BookPage } from './book-page.tsx';

const layout = { isWide: true, pageWidth: 500, pageHeight: 650 };

function captionPageOf(caption: string): { text: string; size: string | undefined } {
  const memory = someMemory({ caption, tags: ['summer', 'beach'], memoryDate: '2026-03-01' });
  const markup = renderMarkup(
    <BookPage
      title="Rex"
      page={{ kind: 'caption', memory: 0 }}
      memoryIds={[memory.id]}
      layout={layout}
      isOpen
    />,
    { memories: [memory] },
  );
  return { text: markup.replace(/<[^>]+>/g, ''), size: /data-size="(\w+)"/.exec(markup)?.[1] };
}

it('a caption page has the caption, one line of details, and the number in its foot', () => {
  expect(captionPageOf('At the lake')).toEqual({
    text: 'At the lakeMarch 1, 2026 · summer · beach1Memory 1 of 1',
    size: 'large',
  });
});

it('a long caption is set as running text', () => {
  expect(captionPageOf('We were at the lake. '.repeat(40)).size).toBe('text');
});

it('the cover does not enlarge the copy of a panorama, which covers a square', () => {
  const cover = (
    <BookPage
      title="Memory Flipbook"
      page={{ kind: 'cover' }}
      memoryIds={[panorama.id]}
      layout={layout}
      isOpen
    />
  );
  const markup = renderMarkup(cover, { memories: [panorama] });
  expect(panoramaSharpness(markup, 0.5 * layout.pageWidth)).toEqual([1]);
});
