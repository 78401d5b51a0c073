import { Heart, LayoutGrid, List, SlidersHorizontal } from 'lucide-react';
import { useId, useRef, useState, type ReactNode } from 'react';
import { flushSync } from 'react-dom';
import { MAX_SEARCH_LENGTH, type MemoryOrder } from '#shared/album/memory';
import type { Pet } from '#shared/album/pet';
import { toPetOption } from '../../pets/species.ts';
import { classNames } from '../../../lib/class-names.ts';
import { Button } from '../../../ui/buttons/button.tsx';
import { Segments } from '../../../ui/forms/radio-group.tsx';
import { SearchField } from '../../../ui/forms/search-field.tsx';
import { SelectField } from '../../../ui/forms/select-field.tsx';
import { Skeleton } from '../../../ui/loading/skeleton.tsx';
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
  onLoved: (isLoved: boolean) => void;
  onOrder: (order: MemoryOrder) => void;
  onView: (view: GallerySearchParams['view']) => void;
  action: ReactNode;
}

/** Sticky. On a phone only its search box and the Filters button are; the filters scroll away with the page. */
export function GalleryBar({
  params,
  pets,
  onSearch,
  onPet,
  onLoved,
  onOrder,
  onView,
  action,
}: GalleryBarProps) {
  const id = useId();
  const panel = useRef<HTMLDivElement>(null);
  // Links from pets set a filter, which a person must be able to see and to clear.
  const [isOpen, setOpen] = useState(params.pet !== '' || params.loved === 'true');
  const toggle = () => {
    const isScrolledAway = panel.current!.getBoundingClientRect().top < 0;
    flushSync(() => setOpen(!isOpen || isScrolledAway));
    panel.current!.scrollIntoView({ block: 'nearest' });
  };
  return (
    <div className="contents gap-3 bg-paper py-4 sm:sticky sm:top-0 sm:z-20 sm:flex">
      <div className="flex gap-3 bg-paper py-3 max-sm:sticky max-sm:top-0 max-sm:z-20 max-sm:-mx-5 max-sm:-mt-3 max-sm:px-5 sm:flex-1 sm:p-0">
        <SearchField
          label="Search mems"
          maxLength={MAX_SEARCH_LENGTH}
          q={params.q}
          onSearch={onSearch}
          className="min-w-0 flex-1"
        />
        <FilterButton
          controls={id}
          isOpen={isOpen}
          count={[params.pet, params.loved].filter(Boolean).length}
          onClick={toggle}
        />
      </div>
      <div
        ref={panel}
        id={id}
        className={classNames(
          'flex items-center gap-3 max-sm:flex-wrap max-sm:pb-3',
          !isOpen && 'max-sm:hidden',
        )}
      >
        <PetFilter pets={pets} petId={params.pet} onPet={onPet} />
        <LovedFilter isOn={params.loved === 'true'} onChange={onLoved} />
        <div className="contents max-sm:flex max-sm:w-full max-sm:gap-3">
          <PhoneOrderSelect order={params.order} onOrder={onOrder} />
          <Segments
            label="View"
            choices={views}
            value={params.view}
            onChoose={onView}
            className="shrink-0"
            choiceClassName="w-12"
          />
        </div>
        <div className="max-sm:hidden">{action}</div>
      </div>
    </div>
  );
}

interface FilterButtonProps {
  controls: string;
  isOpen: boolean;
  /** Of the filters that are on. */
  count: number;
  onClick: () => void;
}

function FilterButton({ controls, isOpen, count, onClick }: FilterButtonProps) {
  return (
    <Button
      variant="secondary"
      aria-expanded={isOpen}
      aria-controls={controls}
      onClick={onClick}
      className="px-4 aria-expanded:bg-well sm:hidden"
    >
      <SlidersHorizontal className="size-4.5" />
      Filters
      {count > 0 && (
        <>
          <span
            aria-hidden
            className="grid size-5 place-items-center rounded-full bg-ink text-small text-paper tabular-nums"
          >
            {count}
          </span>
          <span className="sr-only">({count} on)</span>
        </>
      )}
    </Button>
  );
}

type OrderSelectProps = Pick<GalleryBarProps, 'onOrder'> & { order: MemoryOrder };

const ORDERS = [
  { value: 'added', name: 'By date added' },
  { value: 'taken', name: 'By date taken' },
];

const toOrder = (value: string): MemoryOrder => (value === 'taken' ? 'taken' : 'added');

/** For phones, where `OrderSelect` would not fit beside the links. */
function PhoneOrderSelect({ order, onOrder }: OrderSelectProps) {
  return (
    <SelectField
      label="Order by date"
      isLabelHidden
      className="min-w-0 flex-1 sm:hidden"
      options={ORDERS}
      value={order}
      onChange={(event) => onOrder(toOrder(event.target.value))}
    />
  );
}

/** As quiet as the links beside it. */
export function OrderSelect({ order, onOrder }: OrderSelectProps) {
  return (
    <select
      aria-label="Order by date"
      value={order}
      onChange={(event) => onOrder(toOrder(event.target.value))}
      className="-my-3 min-h-11 cursor-pointer bg-transparent hover:text-ink max-sm:hidden"
    >
      {ORDERS.map(({ value, name }) => (
        <option key={value} value={value}>
          {name}
        </option>
      ))}
    </select>
  );
}

/** Between 640 and 1280 px, where the row is full, it shows only its heart. */
function LovedFilter({ isOn, onChange }: { isOn: boolean; onChange: (isOn: boolean) => void }) {
  return (
    <button
      type="button"
      aria-pressed={isOn}
      title="Only loved memories"
      onClick={() => onChange(!isOn)}
      className="flex min-h-11 min-w-11 shrink-0 items-center justify-center gap-2 rounded-full border border-edge px-3 font-semibold text-muted transition-colors duration-150 hover:border-ink hover:text-ink aria-pressed:border-accent aria-pressed:bg-accent aria-pressed:text-on-accent xl:px-4"
    >
      <Heart className={classNames('size-4.5', isOn && 'fill-current')} />
      <span className="sm:max-xl:sr-only">Loved</span>
    </button>
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
