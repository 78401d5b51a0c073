import { useSyncExternalStore } from 'react';

export interface Toast {
  id: number;
  title: string;
  description?: string;
  variant: 'plain' | 'success' | 'destructive';
  /** What can be done about it, as long as it is there. */
  action?: { name: string; onPress: () => void };
}

interface NewToast extends Omit<Toast, 'id' | 'variant'> {
  variant?: Toast['variant'];
  /** What was said before, and could be done about it, means nothing any more. */
  isUrgent?: boolean;
}

let current: Toast | null = null;
let waiting: Toast[] = [];
/** What has waited is not taken away by the next at once. */
let hasWaited = false;
let lastId = 0;
const listeners = new Set<() => void>();

/**
 * Shows a notice. Only one is visible at a time: a new one takes the place of the one before. Where that offers an
 * action, only another that does, or an urgent one; the others wait their turn. @returns its id
 */
export function showToast({ variant = 'plain', isUrgent = false, ...toast }: NewToast): number {
  const added = { ...toast, variant, id: ++lastId };
  const isBusy = current !== null && (current.action !== undefined || hasWaited);
  if (isUrgent) waiting = [];
  if (isBusy && !added.action && !isUrgent) waiting.push(added);
  else set(added);
  return added.id;
}

/** Takes a notice away, unless another has taken its place already. */
export function dismissToast(id: number): void {
  if (current?.id === id) set(waiting.shift() ?? null, true);
}

/** The notice that is to be seen. */
export function currentToast(): Toast | null {
  return current;
}

export function useCurrentToast(): Toast | null {
  return useSyncExternalStore(subscribe, currentToast);
}

function set(toast: Toast | null, isNextInTurn = false): void {
  current = toast;
  hasWaited = isNextInTurn;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
