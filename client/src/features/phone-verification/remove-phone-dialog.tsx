import type { RefObject } from 'react';
import { formatPhoneNumber } from '#shared/phone';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { showFailure } from '../../ui/show-failure.ts';
import { showToast } from '../../ui/toast-store.ts';
import { useRemovePhone } from './phone-api.ts';

interface RemovePhoneDialogProps {
  phoneNumber: string;
  isOpen: boolean;
  onClose: () => void;
  returnFocusTo: RefObject<HTMLElement | null>;
}

export function RemovePhoneDialog({ phoneNumber, isOpen, onClose, returnFocusTo }: RemovePhoneDialogProps) {
  const { mutateAsync: remove, isPending } = useRemovePhone();
  const confirm = async () => {
    try {
      await remove();
    } catch (error) {
      showFailure(error, 'Error', 'Failed to remove number');
      return;
    }
    showToast({ title: 'Phone number removed', variant: 'success' });
    onClose();
  };
  return (
    <ConfirmDialog
      isOpen={isOpen}
      title="Are you sure you want to remove this number?"
      description={`${formatPhoneNumber(phoneNumber)} will no longer be on your account. You can verify it again at any time.`}
      confirmText="Remove"
      pendingText="Removing..."
      isPending={isPending}
      onConfirm={() => void confirm()}
      onCancel={onClose}
      returnFocusTo={returnFocusTo}
    />
  );
}
