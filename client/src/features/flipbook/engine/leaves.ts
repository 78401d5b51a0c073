/**
 * Leaves that are turning. A position is how many leaves lie on the left; a leaf turns the book from position `low` to
 * `high`, and back. In a jump `high` is more than one further: one leaf turns, with the target beneath it.
 */
export interface Leaf {
  low: number;
  high: number;
  /** 0 lies on the right, 1 on the left. */
  progress: number;
  goal: 0 | 1;
  /** Start position of the current animation. */
  from: number;
  /** The time of that motion's first frame; undefined before it. */
  startedAt: number | undefined;
  delayMs: number;
}

/** A leaf that follows at once starts so much later. */
const STAGGER_MS = 140;
/** With so many in the air, the next turn takes more pages along rather than one more leaf. */
const MAX_LEAVES = 5;

interface Book {
  /** The book's last position. */
  last: number;
  /** The first and the last leaf are covers, which no jump takes along. */
  hasBoards: boolean;
}

/**
 * Turns from one position to another: a leaf on its way in the other direction comes back, the others get company.
 * The leaves stay in the book's order, each beginning where the one before ends; those before the position turn to the
 * left, those after it to the right.
 */
export function turnLeaves(leaves: Leaf[], position: number, target: number, book: Book): void {
  const forward = target > position;
  const goal = forward ? 1 : 0;
  const [near, far] = forward ? (['low', 'high'] as const) : (['high', 'low'] as const);
  const isPast = (other: number) => (forward ? other > target : other < target);
  let delayMs = 0;
  let at = position;
  while (at !== target) {
    const opposed = leaves.find((leaf) => leaf[near] === at);
    if (opposed && !isPast(opposed[far])) {
      head(opposed, goal);
      at = opposed[far];
      continue;
    }
    const next = opposed ? target : nextStop(at, target, book);
    const leaf = newLeaf(Math.min(at, next), Math.max(at, next), goal, delayMs);
    if (opposed) {
      // A jump on its way parts: some of its pages come back from where they are.
      opposed[near] = next;
      leaf.progress = opposed.progress;
      head(leaf, goal);
    }
    const ahead = leaves.find((other) => other[far] === at);
    const isJump = !opposed && leaf.high - leaf.low > 1;
    if (ahead && (isJump || leaves.length >= MAX_LEAVES) && !isBoard(ahead, book) && !isBoard(leaf, book)) {
      ahead[far] = next;
    } else {
      leaves.push(leaf);
      leaves.sort((one, other) => one.low - other.low);
      delayMs += STAGGER_MS;
    }
    at = next;
  }
}

/** A leaf that lies where its turn begins. */
export function newLeaf(low: number, high: number, goal: 0 | 1, delayMs = 0): Leaf {
  return { low, high, progress: 1 - goal, goal, from: 1 - goal, startedAt: undefined, delayMs };
}

/** Sends a leaf on its way from where it is. */
export function head(leaf: Leaf, goal: 0 | 1): void {
  Object.assign(leaf, { goal, from: leaf.progress, startedAt: undefined, delayMs: 0 });
}

/** Moves a leaf to where it is at a time. */
export function moveLeaf(leaf: Leaf, now: number, turnMs: number): void {
  leaf.startedAt ??= now + leaf.delayMs;
  const way = leaf.goal - leaf.from;
  const share = Math.max(0, (now - leaf.startedAt) / (turnMs * Math.abs(way) || 1));
  leaf.progress = share < 1 ? leaf.from + way * easeInOut(share) : leaf.goal;
}

/**
 * Takes out the leaves that have arrived and lie on their pile. One that has overtaken another waits for it, so that
 * those that are left still follow each other.
 */
export function layDown(leaves: Leaf[], held: Leaf | null): void {
  const lies = (leaf: Leaf | undefined, goal: 0 | 1) =>
    leaf !== undefined && leaf !== held && leaf.goal === goal && leaf.progress === goal;
  while (lies(leaves[0], 1)) leaves.shift();
  while (lies(leaves.at(-1), 0)) leaves.pop();
}

/** A page is lifted slowly and laid down slowly. */
function easeInOut(share: number): number {
  return (1 - Math.cos(Math.PI * share)) / 2;
}

/** Boards turn by themselves: a jump from the cover opens it first, one to the end closes the back cover last. */
function nextStop(at: number, target: number, { last, hasBoards }: Book): number {
  if (!hasBoards) return target;
  const inside = Math.min(Math.max(1, target), last - 1);
  if (at === 0) return 1;
  if (at === last) return last - 1;
  return at === inside ? target : inside;
}

function isBoard({ low, high }: Pick<Leaf, 'low' | 'high'>, { last, hasBoards }: Book): boolean {
  return hasBoards && (low === 0 || high === last);
}
