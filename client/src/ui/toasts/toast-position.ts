import { prefersReducedMotion } from '../../lib/reduced-motion.ts';

export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}
type Size = Pick<Box, 'width' | 'height'>;

interface Obstacle extends Box {
  /** Counted even if it is taller than the toast. */
  isPage?: boolean;
}

/** The open pages of a book. */
export const PAGE_ATTRIBUTE = 'data-open-page';
/** A toast covers no controls, alerts, dialog titles or open pages; if it must, then a part of the page without text. */
const OBSTACLES = `a[href], button, input, select, textarea, [role="alert"], [role$="dialog"] h2, [${PAGE_ATTRIBUTE}], [${PAGE_ATTRIBUTE}] p`;
const OPEN_DIALOG = '[role$="dialog"][data-state="open"]';
const CLOSING_DIALOG = '[role$="dialog"][data-state="closed"]';
/** On narrower screens a toast has the screen's width. */
const WIDE_SCREEN_PX = 640;
/** With the margins. */
const MAX_WIDTH_PX = 420;
/** Tried in turn if the full width would cover something. */
const NARROWER_PX = [384, 348, 312];
const STEP_PX = 8;
/** After the last change. What opens, closes or moves on the page ends within it. */
const STILL_MS = 250;
/** It appears at its new place instead of jumping there. */
const MOVED_MS = 180;

/** A ref callback for a toast: positions its list off the obstacles, again once the page has changed and is still. */
export function avoidObstacles(toast: HTMLElement | null): (() => void) | undefined {
  const list = toast?.parentElement;
  if (!list) return undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let position = move(list, null);
  /** Not while it has only appeared under the mouse. */
  let isHovered = false;
  const update = () => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      const isInUse = isHovered || list.contains(document.activeElement);
      if (isInUse || toast.dataset['state'] === 'closed') return;
      const previous = position;
      position = move(list, previous);
      if (position !== previous && !prefersReducedMotion()) toast.animate({ opacity: [0, 1] }, MOVED_MS);
    }, STILL_MS);
  };
  const observer = new MutationObserver(update);
  observer.observe(document.body, { childList: true, subtree: true });
  const listeners = new AbortController();
  // Animated elements reach their position when their animation ends.
  document.addEventListener('animationend', update, { signal: listeners.signal });
  window.addEventListener('resize', update, { signal: listeners.signal });
  const setHovered = ({ type }: Event) => (isHovered = type === 'pointermove');
  for (const type of ['pointermove', 'pointerleave'])
    list.addEventListener(type, setHovered, { signal: listeners.signal });
  return () => {
    clearTimeout(timer);
    observer.disconnect();
    listeners.abort();
  };
}

function move(list: HTMLElement, current: Box | null): Box {
  const dialog = [...document.querySelectorAll(OPEN_DIALOG)].at(-1);
  const obstacles = [...(dialog ?? document).querySelectorAll(OBSTACLES)]
    .filter((each) => !list.contains(each) && !each.closest(CLOSING_DIALOG))
    .map((each) =>
      Object.assign(each.getBoundingClientRect(), { isPage: each.hasAttribute(PAGE_ATTRIBUTE) }),
    );
  const screen = { width: document.documentElement.clientWidth, height: window.innerHeight };
  const place = (maxWidth: number): Box => {
    list.style.maxWidth = `${maxWidth}px`;
    const size = { width: list.offsetWidth, height: list.offsetHeight };
    return findToastPosition(screen, size, obstacles, current);
  };
  const isBesideBook = screen.width >= WIDE_SCREEN_PX && obstacles.some(({ isPage }) => isPage);
  let position = place(MAX_WIDTH_PX);
  for (const width of isBesideBook ? [...NARROWER_PX, MAX_WIDTH_PX] : []) {
    if (coverage(position, obstacles) === 0) break;
    position = place(width);
  }
  list.style.left = `${position.x}px`;
  list.style.top = `${position.y}px`;
  return position;
}

/**
 * The position that covers least; among equals `current`, then the nearest to the top of a phone or to the lower right
 * corner of a wide screen. Controls taller than the toast can be clicked above or below it.
 */
export function findToastPosition(
  screen: Size,
  size: Size,
  obstacles: Obstacle[],
  current: Box | null = null,
): Box {
  const isWide = screen.width >= WIDE_SCREEN_PX;
  const right = screen.width - size.width;
  const bottom = Math.max(screen.height - size.height, 0);
  const steps = Array.from({ length: Math.floor(bottom / STEP_PX) + 1 }, (_, index) => index * STEP_PX);
  const positions = (isWide ? [right, 0, right / 2] : [right / 2]).flatMap((x) =>
    steps.map((step): Box => ({ x, y: isWide ? bottom - step : step, ...size })),
  );
  if (current?.width === size.width && current.height === size.height) positions.unshift(current);
  const free = positions.find((position) => coverage(position, obstacles) === 0);
  return free ?? positions.sort((one, other) => coverage(one, obstacles) - coverage(other, obstacles))[0]!;
}

/** The sum of the covered shares of the obstacles. */
function coverage(position: Box, obstacles: Obstacle[]): number {
  return obstacles
    .filter(({ isPage, width, height }) => (isPage || height <= position.height) && width * height > 0)
    .reduce((sum, box) => sum + overlap(position, box) / (box.width * box.height), 0);
}

function overlap(one: Box, other: Box): number {
  const width = Math.min(one.x + one.width, other.x + other.width) - Math.max(one.x, other.x);
  const height = Math.min(one.y + one.height, other.y + other.height) - Math.max(one.y, other.y);
  return Math.max(width, 0) * Math.max(height, 0);
}
