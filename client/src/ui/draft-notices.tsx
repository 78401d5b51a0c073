import { useEffect } from 'react';
import { dismissToast, showToast } from './toast-store.ts';

let lastToastId: number | null = null;

/** A form was closed with changes in it. */
export function showDraftKept(): void {
  lastToastId = showToast({
    title: 'Draft kept',
    description: 'You will find your changes the next time you edit this.',
  });
}

/** Above the fields of a form that opens with them. */
export function RestoredDraft() {
  // It says the same as the toast of a form that was reopened at once.
  useEffect(() => {
    if (lastToastId !== null) dismissToast(lastToastId);
  }, []);
  return (
    <p role="status" className="border-l-2 border-sage pl-4 text-small">
      Your unsaved changes are still here. Save them, or cancel to discard them.
    </p>
  );
}
