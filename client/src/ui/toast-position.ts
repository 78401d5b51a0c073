export interface Size {
  width: number;
  height: number;
}
export interface Box extends Size {
  x: number;
  y: number;
}

/** What a notice stays clear of: all that one may press or fill in, what went wrong, and a dialog's title. */
const KEPT_CLEAR = 'a[href], button, input, select, textarea, [role="alert"], [role$="dialog"] h2';
const OPEN_DIALOG = '[role$="dialog"][data-state="open"]';
/** From here on there is room beside a notice; below, it is as wide as the screen. */
const WIDE_SCREEN_PX = 640;
const STEP_PX = 8;

/**
 * For a notice's ref: puts its list where it covers nothing that could be used next, as near to its usual corner as
 * that is possible; again when the screen has changed under it.
 */
export function keepClear(notice: HTMLElement | null): (() => void) | undefined {
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
  // What comes in moving is where it belongs at the end of that.
  document.addEventListener('animationend', update, { signal: listening.signal });
  window.addEventListener('resize', update, { signal: listening.signal });
  return () => {
    cancelAnimationFrame(frame);
    observer.disconnect();
    listening.abort();
  };
}

/** @param current where it is now, which it leaves only for a better place */
function move(list: HTMLElement, current: Box | null): Box {
  const dialog = [...document.querySelectorAll(OPEN_DIALOG)].at(-1);
  const keptClear = [...(dialog ?? document).querySelectorAll(KEPT_CLEAR)]
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
  const counted = boxes.filter((box) => area(box) > 0 && box.height <= size.height);
  const coverAt = (position: Box) =>
    counted.reduce((sum, box) => sum + overlap(position, box) / area(box), 0);
  const fits = current?.width === size.width && current.height === size.height;
  let best: Box | null = fits ? current : null;
  let least = best ? coverAt(best) : Infinity;
  for (const position of positions(screen, size)) {
    if (least === 0) break;
    const cover = coverAt(position);
    if (cover < least) [best, least] = [position, cover];
  }
  return best ?? { x: 0, y: 0, ...size };
}

/** Where a notice may be, the usual place first. */
function* positions(screen: Size, size: Size): Generator<Box> {
  const isWide = screen.width >= WIDE_SCREEN_PX;
  const right = screen.width - size.width;
  const bottom = Math.max(screen.height - size.height, 0);
  for (const x of isWide ? [right, 0, right / 2] : [right / 2]) {
    for (let way = 0; way <= bottom; way += STEP_PX) yield { x, y: isWide ? bottom - way : way, ...size };
  }
}

function area({ width, height }: Size): number {
  return width * height;
}

function overlap(one: Box, other: Box): number {
  const width = Math.min(one.x + one.width, other.x + other.width) - Math.max(one.x, other.x);
  const height = Math.min(one.y + one.height, other.y + other.height) - Math.max(one.y, other.y);
  return width > 0 && height > 0 ? width * height : 0;
}
