/** Moves the book from `low` leaves on the left to `high`, or back. In a jump `high` is more than one further. */
export interface Leaf {
  low: number;
  high: number;
  /** 0 is on the right, 1 on the left. */
  progress: number;
  goal: 0 | 1;
  /** The progress at the start of the animation. */
  from: number;
  /** The time of the animation's first frame. */
  startedAt: number | undefined;
  delayMs: number;
}

/** Between the starts of two leaves of one jump. */
const STAGGER_MS = 140;
/** With this many leaves in motion, the last one is extended instead of adding another. */
const MAX_LEAVES = 5;

interface Book {
  last: number;
  /** The first and the last leaf are covers, which turn separately in a jump. */
  hasCovers: boolean;
}

/** Reverses leaves that move in the other direction, and adds new ones, so that the leaves stay in the book's order. */
export function turnLeaves(leaves: Leaf[], position: number, target: number, book: Book): void {
  const forward = target > position;
  const goal = forward ? 1 : 0;
  const [near, far] = forward ? (['low', 'high'] as const) : (['high', 'low'] as const);
  const isPast = (other: number) => (forward ? other > target : other < target);
  let delayMs = 0;
  let at = position;
  while (at !== target) {
    const opposing = leaves.find((leaf) => leaf[near] === at);
    if (opposing && !isPast(opposing[far])) {
      animateLeaf(opposing, goal);
      at = opposing[far];
      continue;
    }
    const next = opposing ? target : nextStop(at, target, book);
    const leaf = createLeaf(Math.min(at, next), Math.max(at, next), goal, delayMs);
    if (opposing) {
      // Splits a jump in motion: the pages past the target turn back.
      opposing[near] = next;
      leaf.progress = opposing.progress;
      animateLeaf(leaf, goal);
    }
    const ahead = leaves.find((other) => other[far] === at);
    const isJump = !opposing && leaf.high - leaf.low > 1;
    if (ahead && (isJump || leaves.length >= MAX_LEAVES) && !isCover(ahead, book) && !isCover(leaf, book)) {
      ahead[far] = next;
    } else {
      leaves.push(leaf);
      leaves.sort((one, other) => one.low - other.low);
      delayMs += STAGGER_MS;
    }
    at = next;
  }
}

export function createLeaf(low: number, high: number, goal: 0 | 1, delayMs = 0): Leaf {
  return { low, high, progress: 1 - goal, goal, from: 1 - goal, startedAt: undefined, delayMs };
}

export function animateLeaf(leaf: Leaf, goal: 0 | 1): void {
  Object.assign(leaf, { goal, from: leaf.progress, startedAt: undefined, delayMs: 0 });
}

/** @param turnMs of a whole turn */
export function updateProgress(leaf: Leaf, now: number, turnMs: number): void {
  leaf.startedAt ??= now + leaf.delayMs;
  const distance = leaf.goal - leaf.from;
  const share = Math.max(0, (now - leaf.startedAt) / (turnMs * Math.abs(distance) || 1));
  leaf.progress = share < 1 ? leaf.from + distance * easeInOut(share) : leaf.goal;
}

/** Removes the leaves that have landed, from the outside in, so that the others stay consecutive. */
export function removeLanded(leaves: Leaf[], dragged: Leaf | null): void {
  const hasLanded = (leaf: Leaf | undefined, goal: 0 | 1) =>
    leaf !== undefined && leaf !== dragged && leaf.goal === goal && leaf.progress === goal;
  while (hasLanded(leaves[0], 1)) leaves.shift();
  while (hasLanded(leaves.at(-1), 0)) leaves.pop();
}

function easeInOut(share: number): number {
  return (1 - Math.cos(Math.PI * share)) / 2;
}

/** A jump from the cover opens it first, and one to the end closes the back cover last. */
function nextStop(at: number, target: number, { last, hasCovers }: Book): number {
  if (!hasCovers) return target;
  const inside = Math.min(Math.max(1, target), last - 1);
  if (at === 0) return 1;
  if (at === last) return last - 1;
  return at === inside ? target : inside;
}

function isCover({ low, high }: Pick<Leaf, 'low' | 'high'>, { last, hasCovers }: Book): boolean {
  return hasCovers && (low === 0 || high === last);
}
