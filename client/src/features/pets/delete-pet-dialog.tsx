import type { RefObject } from 'react';
import type { Pet } from '#shared/pet';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { showFailure } from '../../ui/show-failure.ts';
import { showToast } from '../../ui/toast-store.ts';
import { useDeletePet } from './pet-api.ts';

interface DeletePetDialogProps {
  pet: Pet;
  isOpen: boolean;
  onClose: () => void;
  onDeleted: () => void;
  returnFocusTo: RefObject<HTMLElement | null>;
}

export function DeletePetDialog({ pet, isOpen, onClose, onDeleted, returnFocusTo }: DeletePetDialogProps) {
  const { mutateAsync: deletePet, isPending } = useDeletePet();
  const confirm = async () => {
    try {
      await deletePet(pet.id);
    } catch (error) {
      showFailure(error, 'Failed to delete pet');
      return;
    }
    showToast({ title: 'Pet deleted', variant: 'success' });
    onDeleted();
  };
  return (
    <ConfirmDialog
      isOpen={isOpen}
      title="Are you sure you want to delete this pet?"
      description={`${pet.name}’s profile and picture will be deleted for good. The memories stay in your album, without a pet.`}
      confirmText="Delete"
      pendingText="Deleting..."
      isPending={isPending}
      onConfirm={() => void confirm()}
      onCancel={onClose}
      returnFocusTo={returnFocusTo}
    />
  );
}
