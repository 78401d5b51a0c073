import { PAGE_LIMIT_MAX, PAGE_SIZE } from '#shared/page';
import type { Page } from '../../lib/api-client.ts';

/**
 * Where a list goes on; null at its end. From the third on, a page is as long as all before it: whoever is led back to
 * the end of ten thousand, or has all that was loaded fetched anew, waits for a dozen calls and not for a hundred.
 */
export function nextPage({ next }: Page<unknown>, pages: readonly unknown[]): string | null {
  if (next === null) return null;
  const [path, query] = next.split('?');
  const limit = Math.min(PAGE_LIMIT_MAX, PAGE_SIZE * 2 ** (pages.length - 1));
  const asked = new URLSearchParams(query);
  asked.set('limit', String(limit));
  return `${path}?${asked}`;
}
