import { useSyncExternalStore } from 'react';

export interface Toast {
  id: number;
  title: string;
  description?: string;
  variant: 'plain' | 'success' | 'destructive';
}

let current: Toast | null = null;
let lastId = 0;
const listeners = new Set<() => void>();

/** Shows a notice. Only one is visible at a time: a new one takes the place of the one before. */
export function showToast({
  variant = 'plain',
  ...toast
}: Omit<Toast, 'id' | 'variant'> & Partial<Pick<Toast, 'variant'>>) {
  set({ ...toast, variant, id: ++lastId });
}

/** Takes a notice away, unless another has taken its place already. */
export function dismissToast(id: number): void {
  if (current?.id === id) set(null);
}

export function useCurrentToast(): Toast | null {
  return useSyncExternalStore(subscribe, () => current);
}

function set(toast: Toast | null): void {
  current = toast;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
