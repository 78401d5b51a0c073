import type { Page } from '@playwright/test';

/** A page in one frame, in CSS pixels. */
export interface PageInFrame {
  left: number;
  right: number;
  isBlank: boolean;
}

/** One frame of a turn. */
export interface BookFrame {
  /** Where the two halves of the open book meet. */
  spine: number;
  pages: PageInFrame[];
}

declare global {
  interface Window {
    bookFrames?: BookFrame[];
    bookAtRest?: Promise<void>;
  }
}

/** Records each frame while `act` turns pages, until the animation ends. */
export async function recordFrames(page: Page, act: () => Promise<void>): Promise<BookFrame[]> {
  await page.evaluate(() => {
    const frames: BookFrame[] = [];
    window.bookFrames = frames;
    const block = document.querySelector('.book')!;
    let isWatched = true;
    const look = () => {
      if (!isWatched) return;
      const { left, width } = block.getBoundingClientRect();
      const pages = [...block.querySelectorAll('.book-page')]
        .map((each) => ({ box: each.getBoundingClientRect(), isBlank: !each.querySelector('p, img, svg') }))
        .filter(({ box }) => box.width > 1)
        .map(({ box, isBlank }) => ({ left: box.left, right: box.right, isBlank }));
      frames.push({ spine: left + width / 2, pages });
      requestAnimationFrame(look);
    };
    look();
    window.bookAtRest = new Promise((resolve) => {
      const rest = () => {
        const [last, before] = [frames.at(-1), frames.at(-10)];
        const hasMoved = frames.some((frame) => JSON.stringify(frame) !== JSON.stringify(frames[0]));
        isWatched = !(hasMoved && before && JSON.stringify(last) === JSON.stringify(before));
        if (isWatched) requestAnimationFrame(rest);
        else resolve();
      };
      rest();
    });
  });
  await act();
  return page.evaluate(async () => {
    await window.bookAtRest;
    return window.bookFrames!;
  });
}

/** In the page, while its frames are recorded. */
export function hasBookMoved(): boolean {
  const [first, ...others] = (window.bookFrames ?? []).map((frame) => JSON.stringify(frame));
  return others.some((frame) => frame !== first);
}

/** The largest distance of a visible page from the spine. */
export function largestGap(frames: BookFrame[]): number {
  return Math.max(
    ...frames.flatMap(({ spine, pages }) =>
      pages.map(({ left, right }) => Math.min(Math.abs(left - spine), Math.abs(right - spine))),
    ),
  );
}
