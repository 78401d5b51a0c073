import { showToast } from '../../ui/toast-store.ts';

/** A form was closed with changes in it. */
export function showDraftSaved(): void {
  showToast({ title: 'Draft kept', description: 'You will find your changes the next time you edit this.' });
}

/** Above the fields of a form that opens with them. */
export function RestoredDraftNotice() {
  return (
    <p role="status" className="border-l-2 border-sage pl-4 text-small">
      Your unsaved changes are still here. Save them, or cancel to discard them.
    </p>
  );
}
