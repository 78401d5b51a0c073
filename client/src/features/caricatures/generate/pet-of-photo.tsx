import type { RefObject } from 'react';
import { Link } from 'wouter';
import { paths } from '../../../lib/paths.ts';
import { petOption } from '../../../lib/species.ts';
import { SelectField } from '../../../ui/select-field.tsx';
import { usePets } from '../../pets/pet-api.ts';

interface PetOfPhotoProps {
  /** Null until it was asked for; empty when it is missing. */
  petId: string | null;
  onChoose: (petId: string) => void;
  ref: RefObject<HTMLSelectElement | null>;
}

/** Asked of a photo that has no pet: a caricature is of one. The photo itself stays as it is. */
export function PetOfPhoto({ petId, onChoose, ref }: PetOfPhotoProps) {
  const { data: pets } = usePets();
  if (!pets) return null;
  if (pets.length === 0)
    return (
      <p className="mt-3 flex animate-fade-in flex-wrap items-center gap-x-2 text-small text-muted">
        A caricature is always of a pet.
        <Link
          href={paths.pets}
          className="inline-flex min-h-11 items-center font-semibold text-accent underline underline-offset-4"
        >
          Add your first pet
        </Link>
      </p>
    );
  return (
    <SelectField
      ref={ref}
      className="mt-5 max-w-sm animate-fade-in"
      label="Who is in this photo?"
      placeholder="Choose a pet"
      options={pets.map(petOption)}
      value={petId ?? ''}
      onChange={({ target }) => onChoose(target.value)}
      error={petId === '' ? 'Please choose a pet' : undefined}
    />
  );
}
