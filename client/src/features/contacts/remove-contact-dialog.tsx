import type { RefObject } from 'react';
import type { Contact } from '#shared/contact';
import { serverMessage } from '../../lib/api-client.ts';
import { isLostSession } from '../../lib/lost-session.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
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
      // A lost session has its own notice.
      if (isLostSession(error)) return;
      const description = serverMessage(error) ?? 'Failed to remove contact';
      showToast({ title: 'Error', description, variant: 'destructive' });
      return;
    }
    showToast({ title: 'Contact removed', variant: 'success' });
    onRemoved();
  };
  return (
    <ConfirmDialog
      isOpen={isOpen}
      title="Are you sure you want to remove this contact?"
      description={`${contact.name} gets no more new photos, and the links in earlier e-mails stop working.`}
      confirmText="Remove"
      pendingText="Removing..."
      isPending={isPending}
      onConfirm={() => void confirm()}
      onCancel={onClose}
      returnFocusTo={returnFocusTo}
    />
  );
}
