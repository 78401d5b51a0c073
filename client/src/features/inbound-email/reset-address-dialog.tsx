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
      showFailure(error, 'The address could not be reset', 'Please check your connection and try again.');
      return;
    }
    showToast({
      title: 'You have a new address',
      description: 'Save it in your contacts in place of the old one.',
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
          <BreakingAddress address={address} /> will stop working right away, and photos sent to it will not
          arrive. You get a new address to save in its place.
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
