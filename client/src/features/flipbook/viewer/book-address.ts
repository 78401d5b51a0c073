import { useEffect, useState } from 'react';
import { useLocation, useSearch } from 'wouter';
import { pageInAddress } from '../spreads.ts';

/** A browser allows only so many changes of the address in a while. */
const REST_MS = 250;

type BookView = 'pages' | 'list';

/** Which page of a book is open, and how it is shown: for reload and back. It takes no steps in the history. */
export function useBookAddress(total: number) {
  const [path, navigate] = useLocation();
  const search = useSearch();
  const query = new URLSearchParams(search);
  const view: BookView = query.get('view') === 'list' ? 'list' : 'pages';
  const go = (changes: { page?: number; view?: BookView }) => {
    const { page = pageInAddress(query.get('page'), total), view: next = view } = changes;
    const address = new URLSearchParams({ page: String(page + 1), ...(next === 'list' && { view: next }) });
    if (address.toString() !== search)
      navigate(`${path}?${address}`, { replace: true, state: history.state as unknown });
  };
  return { page: pageInAddress(query.get('page'), total), view, go };
}

/** What has stayed the same for a while. */
export function useRested<Value>(
  value: Value,
  isNear: (one: Value, other: Value) => boolean = () => false,
): Value {
  const [rested, setRested] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setRested(value), REST_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return isNear(value, rested) ? value : rested;
}
