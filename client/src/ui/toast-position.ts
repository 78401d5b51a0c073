export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}
type Size = Pick<Box, 'width' | 'height'>;

/** What a notice stays clear of: all that one may press or fill in, what went wrong, and a dialog's title. */
const OBSTACLES = 'a[href], button, input, select, textarea, [role="alert"], [role$="dialog"] h2';
const OPEN_DIALOG = '[role$="dialog"][data-state="open"]';
/** From here on there is room beside a notice; below, it is as wide as the screen. */
const WIDE_SCREEN_PX = 640;
const STEP_PX = 8;

/** For a notice's ref: moves its list off everything that could be used next, again whenever the screen changes. */
export function avoidObstacles(notice: HTMLElement | null): (() => void) | undefined {
  const list = notice?.parentElement;
  if (!list) return undefined;
  let frame = 0;
  let position = move(list, null);
  const update = () => {
    cancelAnimationFrame(frame);
    frame = requestAnimationFrame(() => {
      const isInUse = list.matches(':hover') || list.contains(document.activeElement);
      if (!isInUse) position = move(list, position);
    });
  };
  const observer = new MutationObserver(update);
  observer.observe(document.body, { childList: true, subtree: true });
  const listening = new AbortController();
  // What comes in moving is in its place only when its animation ends.
  document.addEventListener('animationend', update, { signal: listening.signal });
  window.addEventListener('resize', update, { signal: listening.signal });
  return () => {
    cancelAnimationFrame(frame);
    observer.disconnect();
    listening.abort();
  };
}

function move(list: HTMLElement, current: Box | null): Box {
  const dialog = [...document.querySelectorAll(OPEN_DIALOG)].at(-1);
  const keptClear = [...(dialog ?? document).querySelectorAll(OBSTACLES)]
    .filter((each) => !list.contains(each))
    .map((each) => each.getBoundingClientRect());
  const screen = { width: document.documentElement.clientWidth, height: window.innerHeight };
  const size = { width: list.offsetWidth, height: list.offsetHeight };
  const position = findToastPosition(screen, size, keptClear, current);
  list.style.left = `${position.x}px`;
  list.style.top = `${position.y}px`;
  return position;
}

/**
 * The place for a notice that covers the least of some boxes; of several the nearest to the top of a phone, away from
 * the thumb, or to the lower right corner of a wide screen. Boxes taller than the notice do not count: they
 * can be pressed above or below it.
 * @param current where it is, and stays unless another place is better
 */
export function findToastPosition(screen: Size, size: Size, boxes: Box[], current: Box | null = null): Box {
  const counted = boxes.filter((box) => box.height <= size.height && box.width * box.height > 0);
  const coverAt = (position: Box) =>
    counted.reduce((sum, box) => sum + overlap(position, box) / (box.width * box.height), 0);

  const isWide = screen.width >= WIDE_SCREEN_PX;
  const right = screen.width - size.width;
  const bottom = Math.max(screen.height - size.height, 0);
  const steps = Array.from({ length: Math.floor(bottom / STEP_PX) + 1 }, (_, index) => index * STEP_PX);
  const positions = (isWide ? [right, 0, right / 2] : [right / 2]).flatMap((x) =>
    steps.map((step): Box => ({ x, y: isWide ? bottom - step : step, ...size })),
  );
  if (current?.width === size.width && current.height === size.height) positions.unshift(current);
  const free = positions.find((position) => coverAt(position) === 0);
  return free ?? positions.sort((one, other) => coverAt(one) - coverAt(other))[0]!;
}

function overlap(one: Box, other: Box): number {
  const width = Math.min(one.x + one.width, other.x + other.width) - Math.max(one.x, other.x);
  const height = Math.min(one.y + one.height, other.y + other.height) - Math.max(one.y, other.y);
  return Math.max(width, 0) * Math.max(height, 0);
}
