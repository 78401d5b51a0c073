import { useSyncExternalStore } from 'react';

export interface Toast {
  id: number;
  title: string;
  description?: string;
  variant: 'plain' | 'success' | 'destructive';
  action?: { name: string; onPress: () => void };
}

interface NewToast extends Omit<Toast, 'id' | 'variant'> {
  variant?: Toast['variant'];
  /** Replaces a toast with an action, and drops the queue. */
  isUrgent?: boolean;
}

/** An action needs more time than reading. */
export function toastDurationMs({ action }: Toast): number {
  return action ? 10_000 : 5000;
}

let current: Toast | null = null;
let queue: Toast[] = [];
/** The current toast comes from the queue: a plain toast does not replace it. */
let isFromQueue = false;
let lastId = 0;
const listeners = new Set<() => void>();

/** A toast with an action is replaced only by one with an action or an urgent one; others wait. @returns its id */
export function showToast({ variant = 'plain', isUrgent = false, ...toast }: NewToast): number {
  const added = { ...toast, variant, id: ++lastId };
  const isBusy = current !== null && (current.action !== undefined || isFromQueue);
  if (isUrgent) queue = [];
  if (isBusy && !added.action && !isUrgent) queue.push(added);
  else set(added);
  return added.id;
}

/** Does nothing if another toast has replaced this one. */
export function dismissToast(id: number): void {
  if (current?.id === id) set(queue.shift() ?? null, true);
}

export function currentToast(): Toast | null {
  return current;
}

export function useCurrentToast(): Toast | null {
  return useSyncExternalStore(subscribe, currentToast);
}

function set(toast: Toast | null, fromQueue = false): void {
  current = toast;
  isFromQueue = fromQueue;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
