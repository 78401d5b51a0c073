/** The pages that lie open together, both included: one, or two beside each other. Pages count from 0. */
export interface Spread {
  first: number;
  last: number;
}

/** The cover and the end lie alone; in between two beside each other, where there is room for two. */
export function spreadAt(page: number, total: number, isWide: boolean): Spread {
  const within = Math.min(Math.max(0, page), total - 1);
  if (!isWide || within === 0 || within === total - 1) return { first: within, last: within };
  const first = within % 2 === 1 ? within : within - 1;
  return { first, last: first + 1 };
}

/** The page that a turn leads to; null at either end of the book. */
export function pageAfterTurn(by: 1 | -1, page: number, total: number, isWide: boolean): number | null {
  const { first, last } = spreadAt(page, total, isWide);
  const next = by === 1 ? last + 1 : first - 1;
  return next < 0 || next >= total ? null : spreadAt(next, total, isWide).first;
}

/** The page that an address names, counting from 1 there: the nearest one that there is. */
export function parsePage(text: string | null, total: number): number {
  const page = Math.floor(Number(text ?? 1)) - 1;
  return Number.isFinite(page) ? Math.min(Math.max(0, page), total - 1) : 0;
}
