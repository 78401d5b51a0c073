import type { Pet } from '#shared/album/pet';
import { Button } from '../../ui/buttons/button.tsx';
import { SpeciesIcon } from './pet-avatar.tsx';
import { Skeleton } from '../../ui/loading/skeleton.tsx';
import { Spinner } from '../../ui/loading/spinner.tsx';
import { NO_MEMORIES, PetCard, type PetMemories } from './pet-card.tsx';

const EAGER_PICTURES = 6;
const PLACEHOLDERS = 3;

const grid = 'grid gap-x-10 gap-y-14 sm:grid-cols-2 lg:grid-cols-3';

export interface PetGridProps {
  pets: Pet[];
  /** By id, without pets that have no memories; undefined while they are loading. */
  memories: ReadonlyMap<string, PetMemories> | undefined;
  onEdit: (pet: Pet) => void;
  onDelete: (pet: Pet) => void;
}

export function PetGrid({ pets, memories, onEdit, onDelete }: PetGridProps) {
  return (
    <ul className={grid}>
      {pets.map((pet, index) => (
        <li key={pet.id} className="min-w-0">
          <PetCard
            pet={pet}
            memories={memories && (memories.get(pet.id) ?? NO_MEMORIES)}
            isEager={index < EAGER_PICTURES}
            onEdit={() => onEdit(pet)}
            onDelete={() => onDelete(pet)}
          />
        </li>
      ))}
    </ul>
  );
}

export function PetGridSkeleton() {
  return (
    <div className={grid}>
      {Array.from({ length: PLACEHOLDERS }, (_, index) => (
        <div key={index} className={index > 0 ? 'hidden sm:block' : 'relative'}>
          <Skeleton className="aspect-square" />
          {index === 0 && (
            <p
              role="status"
              className="absolute inset-x-0 top-0 flex aspect-square items-center justify-center gap-3 text-muted"
            >
              <Spinner />
              Loading your pets...
            </p>
          )}
          <Skeleton className="mt-5 h-7 w-1/2" />
          <Skeleton className="mt-3 h-5 w-2/3" />
        </div>
      ))}
    </div>
  );
}

export function NoPets({ onAdd }: { onAdd: () => void }) {
  return (
    <div className="flex flex-col items-center gap-6 py-6 text-center sm:py-12">
      <EmptyPrints />
      <div>
        <h2 className="text-lead font-medium">No pets yet</h2>
        <p className="mt-1 max-w-sm text-balance text-muted">
          Add your pets here, then find their memories by name.
        </p>
      </div>
      <Button variant="secondary" onClick={onAdd}>
        Add Your First Pet
      </Button>
    </div>
  );
}

function EmptyPrints() {
  return (
    <div aria-hidden className="flex">
      <div className="w-32 -rotate-4 rounded-print bg-print p-2 pb-6 shadow-print">
        <div className="grid aspect-square place-items-center rounded-[2px] bg-well">
          <SpeciesIcon species="dog" className="size-14 text-edge" />
        </div>
      </div>
      <div className="mt-5 -ml-5 w-32 rotate-5 rounded-print bg-print p-2 pb-6 shadow-print">
        <div className="grid aspect-square place-items-center rounded-[2px] bg-well">
          <SpeciesIcon species="cat" className="size-14 text-edge" />
        </div>
      </div>
    </div>
  );
}
