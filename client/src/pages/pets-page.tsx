import { Plus } from 'lucide-react';
import { useRef, useState } from 'react';
import type { Pet } from '#shared/pet';
import { DeletePetDialog } from '../features/pets/delete-pet-dialog.tsx';
import { usePets } from '../features/pets/pet-api.ts';
import { petCardId } from '../features/pets/pet-card.tsx';
import { PetFormDialog } from '../features/pets/pet-form-dialog.tsx';
import { NoPets, PetGrid, PetGridSkeleton } from '../features/pets/pet-grid.tsx';
import { usePageTitle } from '../lib/use-page-title.ts';
import { Button } from '../ui/button.tsx';
import { FailureNotice } from '../ui/failure-notice.tsx';
import { ThumbReach } from '../ui/thumb-reach.tsx';

/** A pet that lies open in a dialog; the dialog stays until its closing has been seen. */
interface OpenedPet {
  pet: Pet;
  isOpen: boolean;
  /** Each opening starts anew. */
  opening: number;
}

export function PetsPage() {
  usePageTitle('My Pets');
  const { data: pets = [] } = usePets();
  const [isAdding, setAdding] = useState(false);
  const [edited, setEdited] = useState<OpenedPet | null>(null);
  const [deleted, setDeleted] = useState<OpenedPet | null>(null);
  const addButton = useRef<HTMLButtonElement>(null);
  const returnFocusTo = useRef<HTMLElement>(null);

  const add = (button: HTMLElement) => {
    returnFocusTo.current = button;
    setAdding(true);
  };
  const finishAdding = () => {
    // 'Add Your First Pet' is gone by then.
    returnFocusTo.current = addButton.current;
    setAdding(false);
  };
  const finishDeleting = (pet: Pet) => {
    returnFocusTo.current = neighborOf(pet, pets) ?? addButton.current;
    setDeleted(closed);
  };
  const edit = (pet: Pet, button: HTMLElement) => {
    returnFocusTo.current = button;
    setEdited(opened(pet));
  };
  const askToDelete = (pet: Pet, button: HTMLElement) => {
    returnFocusTo.current = button;
    setDeleted(opened(pet));
  };

  return (
    <div className="mx-auto max-w-6xl px-5 pt-8 pb-32 sm:px-8 sm:pt-14 sm:pb-24">
      <header className="mb-10 flex flex-wrap items-end justify-between gap-6 sm:mb-14">
        <h1 className="text-display">My Pets</h1>
        <ThumbReach>
          <Button
            ref={addButton}
            onClick={({ currentTarget }) => add(currentTarget)}
            className="w-full shadow-print sm:w-auto"
          >
            <Plus />
            Add New Pet
          </Button>
        </ThumbReach>
      </header>
      <Pets onAdd={add} onEdit={edit} onDelete={askToDelete} />
      <PetFormDialog
        pet={null}
        isOpen={isAdding}
        onClose={() => setAdding(false)}
        onSaved={finishAdding}
        returnFocusTo={returnFocusTo}
      />
      {edited && (
        <PetFormDialog
          key={edited.opening}
          pet={edited.pet}
          isOpen={edited.isOpen}
          onClose={() => setEdited(closed)}
          onSaved={() => setEdited(closed)}
          returnFocusTo={returnFocusTo}
        />
      )}
      {deleted && (
        <DeletePetDialog
          pet={deleted.pet}
          isOpen={deleted.isOpen}
          onClose={() => setDeleted(closed)}
          onDeleted={() => finishDeleting(deleted.pet)}
          returnFocusTo={returnFocusTo}
        />
      )}
    </div>
  );
}

interface PetsProps {
  onAdd: (button: HTMLElement) => void;
  onEdit: (pet: Pet, button: HTMLElement) => void;
  onDelete: (pet: Pet, button: HTMLElement) => void;
}

function Pets({ onAdd, onEdit, onDelete }: PetsProps) {
  const { data: pets, isPending, isFetching, refetch } = usePets();
  if (isPending) return <PetGridSkeleton />;
  if (!pets) {
    return (
      <FailureNotice onRetry={() => void refetch()} isRetrying={isFetching}>
        Your pets could not be loaded. They are safe; please check your connection and try again.
      </FailureNotice>
    );
  }
  if (pets.length > 0) return <PetGrid pets={pets} onEdit={onEdit} onDelete={onDelete} />;
  return (
    <NoPets
      action={
        <Button variant="secondary" onClick={({ currentTarget }) => onAdd(currentTarget)}>
          Add Your First Pet
        </Button>
      }
    />
  );
}

function opened(pet: Pet) {
  return (last: OpenedPet | null): OpenedPet => ({ pet, isOpen: true, opening: (last?.opening ?? 0) + 1 });
}

function closed(opened: OpenedPet | null): OpenedPet | null {
  return opened && { ...opened, isOpen: false };
}

/** The card that takes a deleted one's place, else the one before it. */
function neighborOf({ id }: Pet, pets: Pet[]): HTMLElement | null {
  const index = pets.findIndex((pet) => pet.id === id);
  const neighbor = pets[index + 1] ?? pets[index - 1];
  return neighbor ? document.getElementById(petCardId(neighbor)) : null;
}
