import type { Pet } from '#shared/pet';
import { showToast } from '../../ui/toast-store.ts';
import { useConfirm } from '../../ui/use-confirm.tsx';
import { useDeletePet } from './pet-api.ts';

/** @returns a function that asks for confirmation and deletes the pet */
export function useConfirmPetDeletion() {
  const confirm = useConfirm();
  const { mutateAsync: deletePet } = useDeletePet();
  return ({ id, name }: Pet) =>
    confirm({
      title: 'Are you sure you want to delete this pet?',
      description: `${name}’s profile and picture will be deleted for good. The memories stay in your album, without a pet.`,
      confirmText: 'Delete',
      pendingText: 'Deleting...',
      errorToast: ['Failed to delete pet'],
      onConfirm: async () => {
        await deletePet(id);
        showToast({ title: 'Pet deleted', variant: 'success' });
      },
    });
}
