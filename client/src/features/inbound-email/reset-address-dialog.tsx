import type { RefObject } from 'react';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { showFailure } from '../../ui/show-failure.ts';
import { showToast } from '../../ui/toast-store.ts';
import { BreakingAddress } from './breaking-address.tsx';
import { useResetInboundEmail } from './inbound-email-api.ts';

interface ResetAddressDialogProps {
  address: string;
  isOpen: boolean;
  onClose: () => void;
  onReset: () => void;
  returnFocusTo: RefObject<HTMLElement | null>;
}

export function ResetAddressDialog({
  address,
  isOpen,
  onClose,
  onReset,
  returnFocusTo,
}: ResetAddressDialogProps) {
  const { mutateAsync: reset, isPending } = useResetInboundEmail();
  const confirm = async () => {
    try {
      await reset();
    } catch (error) {
      showFailure(error, 'The address was not reset', 'Please check your connection and try again.');
      return;
    }
    showToast({
      title: 'You have a new address',
      description: 'Save it in place of the old one.',
      variant: 'success',
    });
    onReset();
  };
  return (
    <ConfirmDialog
      isOpen={isOpen}
      title="Reset your address?"
      description={
        <>
          <BreakingAddress address={address} /> is dead at once: what is mailed there reaches nobody any more.
          You get a new one to save in its place.
        </>
      }
      confirmText="Reset address"
      pendingText="Resetting..."
      isPending={isPending}
      onConfirm={() => void confirm()}
      onCancel={onClose}
      returnFocusTo={returnFocusTo}
    />
  );
}
