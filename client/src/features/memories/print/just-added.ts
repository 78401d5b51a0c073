import { useSyncExternalStore } from 'react';

let justAdded: string | null = null;
const listeners = new Set<() => void>();

/** Lets the card of a memory settle in. Call it when the uploader no longer covers it, and with null afterwards. */
export function setJustAdded(id: string | null): void {
  justAdded = id;
  for (const listener of listeners) listener();
}

export function useIsJustAdded(id: string): boolean {
  const isJustAdded = () => justAdded === id;
  return useSyncExternalStore(subscribe, isJustAdded, isJustAdded);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
