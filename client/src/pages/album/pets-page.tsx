import { Plus } from 'lucide-react';
import { useState } from 'react';
import type { Pet } from '#shared/album/pet';
import { useMemoryPetCounts } from '../../features/memories/store/memory-lists.ts';
import { useDeletePet, usePets } from '../../features/pets/pet-api.ts';
import { PetFormDialog } from '../../features/pets/pet-form-dialog.tsx';
import { NoPets, PetGrid, PetGridSkeleton, type PetGridProps } from '../../features/pets/pet-grid.tsx';
import { usePageTitle } from '../../lib/routing/use-page-title.ts';
import { BottomActionBar } from '../../ui/bottom-action-bar.tsx';
import { Button } from '../../ui/buttons/button.tsx';
import { useConfirm } from '../../ui/dialogs/use-confirm.tsx';
import { LoadError } from '../../ui/error-notice.tsx';
import { showSuccess } from '../../ui/toasts/toast-store.ts';

/** The edit dialog, mounted until its closing animation ends. */
interface EditDialog {
  pet: Pet;
  isOpen: boolean;
  /** Each opening mounts a new dialog. */
  key: number;
}

export function PetsPage() {
  usePageTitle('My Pets');
  const [isAdding, setAdding] = useState(false);
  const [editDialog, setEditDialog] = useState<EditDialog | null>(null);
  const add = () => setAdding(true);
  const confirmDeletion = useConfirmPetDeletion();

  return (
    <div className="mx-auto max-w-6xl px-5 pt-8 pb-32 sm:px-8 sm:pt-14 sm:pb-24">
      <header className="mb-10 flex flex-wrap items-end justify-between gap-6 sm:mb-14">
        <h1 className="text-display">My Pets</h1>
        <BottomActionBar>
          <Button onClick={add} data-focus-fallback="" className="w-full shadow-print sm:w-auto">
            <Plus />
            Add New Pet
          </Button>
        </BottomActionBar>
      </header>
      <Pets
        onAdd={add}
        onEdit={(pet) => setEditDialog({ pet, isOpen: true, key: (editDialog?.key ?? 0) + 1 })}
        onDelete={(pet) => void confirmDeletion(pet)}
      />
      <PetFormDialog pet={null} isOpen={isAdding} onClose={() => setAdding(false)} />
      {editDialog && (
        <PetFormDialog
          key={editDialog.key}
          pet={editDialog.pet}
          isOpen={editDialog.isOpen}
          onClose={() => setEditDialog({ ...editDialog, isOpen: false })}
        />
      )}
    </div>
  );
}

function Pets({ onAdd, ...actions }: Pick<PetGridProps, 'onEdit' | 'onDelete'> & { onAdd: () => void }) {
  const { data: pets, isPending, isFetching, refetch } = usePets();
  if (isPending) return <PetGridSkeleton />;
  if (!pets) {
    return <LoadError what="Your pets" isSafe onRetry={refetch} isRetrying={isFetching} />;
  }
  return pets.length > 0 ? <CountedPets pets={pets} {...actions} /> : <NoPets onAdd={onAdd} />;
}

function CountedPets(props: Omit<PetGridProps, 'memories'>) {
  return <PetGrid {...props} memories={useMemoryPetCounts()} />;
}

/** @returns a function that asks for confirmation and deletes the pet */
function useConfirmPetDeletion() {
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
        showSuccess('Pet deleted');
      },
    });
}
