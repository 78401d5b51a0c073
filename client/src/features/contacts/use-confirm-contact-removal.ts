import type { Contact } from '#shared/contact';
import { showToast } from '../../ui/toast-store.ts';
import { useConfirm } from '../../ui/use-confirm.tsx';
import { useRemoveContact } from './contact-api.ts';

/** @returns a function that asks for confirmation and removes the contact */
export function useConfirmContactRemoval() {
  const confirm = useConfirm();
  const { mutateAsync: remove } = useRemoveContact();
  return ({ id, name }: Contact) =>
    confirm({
      title: 'Are you sure you want to remove this contact?',
      description: `${name} will no longer get new photos, and links in earlier emails will stop working.`,
      confirmText: 'Remove',
      pendingText: 'Removing...',
      errorToast: ['Error', 'Failed to remove contact'],
      onConfirm: async () => {
        await remove(id);
        showToast({ title: 'Contact removed', variant: 'success' });
      },
    });
}
