import type { RefObject } from 'react';
import type { Contact } from '#shared/contact';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { showFailure } from '../../ui/show-failure.ts';
import { showToast } from '../../ui/toast-store.ts';
import { useRemoveContact } from './contact-api.ts';

interface RemoveContactDialogProps {
  contact: Contact;
  isOpen: boolean;
  onClose: () => void;
  onRemoved: () => void;
  returnFocusTo: RefObject<HTMLElement | null>;
}

export function RemoveContactDialog({
  contact,
  isOpen,
  onClose,
  onRemoved,
  returnFocusTo,
}: RemoveContactDialogProps) {
  const { mutateAsync: remove, isPending } = useRemoveContact();
  const confirm = async () => {
    try {
      await remove(contact.id);
    } catch (error) {
      showFailure(error, 'Error', 'Failed to remove contact');
      return;
    }
    showToast({ title: 'Contact removed', variant: 'success' });
    onRemoved();
  };
  return (
    <ConfirmDialog
      isOpen={isOpen}
      title="Are you sure you want to remove this contact?"
      description={`${contact.name} will no longer get new photos, and links in earlier emails will stop working.`}
      confirmText="Remove"
      pendingText="Removing..."
      isPending={isPending}
      onConfirm={() => void confirm()}
      onCancel={onClose}
      returnFocusTo={returnFocusTo}
    />
  );
}
