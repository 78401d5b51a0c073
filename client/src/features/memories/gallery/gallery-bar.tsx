import { LayoutGrid, List } from 'lucide-react';
import type { ReactNode } from 'react';
import { MAX_SEARCH_LENGTH } from '#shared/memory';
import type { Pet } from '#shared/pet';
import { toPetOption } from '../../pets/species.ts';
import { Segments } from '../../../ui/radio-group.tsx';
import { SearchField } from '../../../ui/search-field.tsx';
import { SelectField } from '../../../ui/select-field.tsx';
import { Skeleton } from '../../../ui/skeleton.tsx';
import type { GallerySearchParams } from './gallery-search-params.ts';

const views = [
  { value: 'grid' as const, name: 'Grid', Icon: LayoutGrid },
  { value: 'list' as const, name: 'List', Icon: List },
];

interface GalleryBarProps {
  params: GallerySearchParams;
  pets: Pet[] | undefined;
  onSearch: (q: string) => void;
  onPet: (petId: string) => void;
  onView: (view: GallerySearchParams['view']) => void;
  action: ReactNode;
}

/** Sticky; on a phone only the search box is. */
export function GalleryBar({ params, pets, onSearch, onPet, onView, action }: GalleryBarProps) {
  return (
    <div className="contents gap-3 bg-paper py-4 sm:sticky sm:top-0 sm:z-20 sm:flex">
      <div className="flex bg-paper py-3 max-sm:sticky max-sm:top-0 max-sm:z-20 max-sm:-mx-5 max-sm:px-5 sm:flex-1 sm:p-0">
        <SearchField
          label="Search mems"
          maxLength={MAX_SEARCH_LENGTH}
          q={params.q}
          onSearch={onSearch}
          className="min-w-0 flex-1"
        />
      </div>
      <div className="flex flex-wrap items-center justify-between gap-3 sm:flex-nowrap">
        <PetFilter pets={pets} petId={params.pet} onPet={onPet} />
        <Segments
          label="View"
          choices={views}
          value={params.view}
          onChoose={onView}
          className="ml-auto"
          choiceClassName="w-12"
        />
        {action}
      </div>
    </div>
  );
}

export function PetFilter({
  pets,
  petId,
  onPet,
}: Pick<GalleryBarProps, 'pets' | 'onPet'> & { petId: string }) {
  const size = 'w-56 min-w-0 max-sm:flex-1';
  if (!pets) return <Skeleton className={`${size} h-11`} />;
  if (pets.length === 0) return null;
  return (
    <SelectField
      label="Pet"
      isLabelHidden
      className={size}
      options={[{ value: '', name: 'All pets' }, ...pets.map(toPetOption)]}
      value={petId}
      onChange={(event) => onPet(event.target.value)}
    />
  );
}
