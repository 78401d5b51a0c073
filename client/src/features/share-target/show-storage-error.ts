import { showError } from '../../ui/toasts/show-error.ts';

/** The browser refused to accept or discard shared photos, e.g. since its disk is full. They are still there. */
export function showStorageError(error: unknown): void {
  showError(error, 'Not saved', 'Your shared photos are still here. Please try again.');
}
