/** The first and the last open page, which may be the same. Pages count from 0. */
export interface Spread {
  first: number;
  last: number;
}

/** Wide screens show two pages, except at the cover and the end. */
export function spreadAt(page: number, total: number, isWide: boolean): Spread {
  const valid = Math.min(Math.max(0, page), total - 1);
  if (!isWide || valid === 0 || valid === total - 1) return { first: valid, last: valid };
  const first = valid % 2 === 1 ? valid : valid - 1;
  return { first, last: first + 1 };
}

export function pageAfterTurn(
  direction: 1 | -1,
  page: number,
  total: number,
  isWide: boolean,
): number | null {
  const { first, last } = spreadAt(page, total, isWide);
  const next = direction === 1 ? last + 1 : first - 1;
  return next < 0 || next >= total ? null : spreadAt(next, total, isWide).first;
}

/** Parses the page number of the URL, which counts from 1, and limits it to existing pages. */
export function parsePage(text: string | null, total: number): number {
  const page = Math.floor(Number(text ?? 1)) - 1;
  return Number.isFinite(page) ? Math.min(Math.max(0, page), total - 1) : 0;
}
