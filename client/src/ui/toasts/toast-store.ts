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
  /** Replaces a toast of the same subject, even one with an action: what that one says is no longer so. */
  subject?: string;
}

/** An action needs more time than reading. */
export function toastDurationMs({ action }: Toast): number {
  return action ? 10_000 : 5000;
}

let current: (Toast & Pick<NewToast, 'subject'>) | null = null;
let queue: Toast[] = [];
/** The current toast comes from the queue: a plain toast does not replace it. */
let isFromQueue = false;
let lastId = 0;
const listeners = new Set<() => void>();

/** A toast with an action is replaced only by one with an action or an urgent one; others wait. @returns its id */
export function showToast({ variant = 'plain', isUrgent = false, ...toast }: NewToast): number {
  const added = { ...toast, variant, id: ++lastId };
  const isSameSubject = added.subject !== undefined && current?.subject === added.subject;
  const isBusy = current !== null && !isSameSubject && (current.action !== undefined || isFromQueue);
  if (isUrgent) queue = [];
  if (isBusy && !added.action && !isUrgent) queue.push(added);
  else set(added);
  return added.id;
}

export function showSuccess(title: string, description?: string): void {
  showToast({ title, ...(description && { description }), variant: 'success' });
}

/** Does nothing if another toast has replaced this one. */
export function dismissToast(id: number): void {
  if (current?.id === id) set(queue.shift() ?? null, true);
}

/** Redirects keep the toast: it says what led to them. @returns the cleanup */
export function dismissToastsOnNavigation(): () => void {
  const listeners = new AbortController();
  let path = window.location.pathname;
  // Captured: runs before the router renders the next page, whose own toasts stay.
  const options = { capture: true, signal: listeners.signal };
  const follow = ({ type }: Event) => {
    const isRedirect = type === 'replaceState';
    if (current && !isRedirect && path !== window.location.pathname) dismissToast(current.id);
    path = window.location.pathname;
  };
  // wouter dispatches an event for each call of the History API.
  for (const type of ['pushState', 'replaceState', 'popstate'])
    window.addEventListener(type, follow, options);
  return () => listeners.abort();
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
