import { useSyncExternalStore } from 'react';

const KEY = 'awaited-caricatures';

/**
 * The ids of those that were seen being drawn in this tab and not seen drawn yet: a reload in the middle, or a look at
 * another screen, takes no celebration away.
 */
let awaited: string[] | undefined;
const listeners = new Set<() => void>();

export function useAwaitedCaricatures(): string[] {
  return useSyncExternalStore(subscribe, awaitedIds);
}

export function awaitCaricatures(ids: string[]): void {
  const added = ids.filter((id) => !awaitedIds().includes(id));
  if (added.length > 0) set([...awaitedIds(), ...added]);
}

export function awaitNoMore(ids: string[]): void {
  const left = awaitedIds().filter((id) => !ids.includes(id));
  if (left.length < awaitedIds().length) set(left);
}

function awaitedIds(): string[] {
  awaited ??= read();
  return awaited;
}

function set(ids: string[]): void {
  awaited = ids;
  try {
    sessionStorage.setItem(KEY, JSON.stringify(ids));
  } catch {
    // Without a place to keep them in they are celebrated all the same, unless the page is reloaded.
  }
  for (const listener of listeners) listener();
}

function read(): string[] {
  try {
    const ids: unknown = JSON.parse(sessionStorage.getItem(KEY) ?? '[]');
    return Array.isArray(ids) ? ids.filter((id) => typeof id === 'string') : [];
  } catch {
    return [];
  }
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
