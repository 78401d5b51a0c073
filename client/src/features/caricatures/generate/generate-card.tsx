import { CircleCheck, WandSparkles } from 'lucide-react';
import { useEffect, useId, useRef, useState, type ReactNode, type RefObject } from 'react';
import { Link } from 'wouter';
import {
  CARICATURE_STYLE_NAMES,
  type CaricatureOptions,
  type CaricatureStyle,
} from '#shared/album/caricature';
import type { Memory } from '#shared/album/memory';
import type { Pet } from '#shared/album/pet';
import { classNames } from '../../../lib/class-names.ts';
import { paths } from '../../../lib/routing/paths.ts';
import { toPetOption } from '../../pets/species.ts';
import { Button } from '../../../ui/buttons/button.tsx';
import { RadioCards } from '../../../ui/forms/radio-group.tsx';
import { SelectField } from '../../../ui/forms/select-field.tsx';
import { Skeleton } from '../../../ui/loading/skeleton.tsx';
import { usePets } from '../../pets/pet-api.ts';
import { Badge } from '../../../ui/badge.tsx';
import type { CaricatureRequest } from '../caricature-api.ts';
import { PhotoPicker } from './photo-picker.tsx';
import { useCaricaturePet } from './use-caricature-pet.ts';
import { MAX_PHOTOS } from './use-pickable-photos.ts';

interface GenerateCardProps {
  photoIds: string[];
  count: number | undefined;
  chosen: Memory | null;
  onChoose: (memory: Memory) => void;
  /** The page's pet filter; empty for all pets. */
  petId: string;
  pets: Pet[];
  options: CaricatureOptions;
  isPhotoPreselected: boolean;
  isPending: boolean;
  isBlocked: boolean;
  onStart: (request: CaricatureRequest) => void;
}

export function GenerateCard({ photoIds, count, chosen, petId, pets, options, ...on }: GenerateCardProps) {
  const [style, setStyle] = useState(options.styles[0] ?? 'comic');
  const pet = useCaricaturePet(petId, chosen);
  const petField = useRef<HTMLSelectElement>(null);
  const heading = useId();

  const start = () => {
    if (!chosen || on.isBlocked) return;
    if (pet.petId) return on.onStart({ petId: pet.petId, imageUrl: chosen.imageUrl, style });
    pet.rejectMissingPet();
    petField.current?.focus();
  };

  return (
    <section
      aria-labelledby={heading}
      className="overflow-clip rounded-sheet bg-sheet p-5 shadow-print sm:p-8"
    >
      <h3 id={heading} className="text-lead">
        Create a new caricature
      </h3>
      <div className="mt-4 grid grid-cols-[minmax(0,1fr)] gap-x-12 gap-y-7 lg:grid-cols-[minmax(0,8fr)_minmax(0,5fr)]">
        <PhotoChoice ids={photoIds} count={count} pets={pets} chosenId={chosen?.id} onChoose={on.onChoose}>
          {pet.isChoiceNeeded && (
            <PetSelect ref={petField} petId={pet.chosenPetId} onChoose={pet.choosePet} />
          )}
        </PhotoChoice>
        <div className="flex flex-col">
          <StyleChoice styles={options.styles} style={style} onChoose={setStyle} />
          <StartButton
            hasPhoto={chosen !== null}
            isFocused={on.isPhotoPreselected && chosen !== null}
            isPending={on.isPending}
            isBlocked={on.isBlocked}
            onStart={start}
          />
          {options.remaining !== null && options.limit !== null && (
            <p className="mt-2.5 text-center text-small text-muted tabular-nums">
              {options.remaining} of {options.limit} left today
            </p>
          )}
        </div>
      </div>
    </section>
  );
}

interface PhotoChoiceProps {
  ids: string[];
  count: number | undefined;
  pets: Pet[];
  chosenId: string | undefined;
  onChoose: (memory: Memory) => void;
  /** Below the photos. */
  children: ReactNode;
}

function PhotoChoice({ count, children, ...picker }: PhotoChoiceProps) {
  const legend = useId();
  return (
    <div>
      <div className="mb-3 flex flex-wrap items-center justify-between gap-x-3 gap-y-1">
        <p id={legend} className="font-semibold">
          Pick a photo
        </p>
        {count !== undefined && (
          <Badge>
            {count} {count === 1 ? 'photo' : 'photos'}
          </Badge>
        )}
      </div>
      <PhotoPicker {...picker} legendId={legend} />
      {children}
      {count !== undefined && count > MAX_PHOTOS && (
        <p className="mt-3 text-small text-muted tabular-nums">
          Showing {MAX_PHOTOS} of {count} memories
        </p>
      )}
    </div>
  );
}

interface StyleChoiceProps {
  styles: CaricatureStyle[];
  style: CaricatureStyle;
  onChoose: (style: CaricatureStyle) => void;
}

function StyleChoice({ styles, style, onChoose }: StyleChoiceProps) {
  const legend = useId();
  return (
    <>
      <p id={legend} className="mb-3 font-semibold">
        Pick a style
      </p>
      <RadioCards
        labelledBy={legend}
        value={style}
        onChoose={onChoose}
        className="grid grid-cols-2 gap-2.5 sm:grid-cols-4 lg:grid-cols-2"
        choiceClassName="flex flex-col rounded-field border border-hairline bg-paper p-1.5 text-center text-small font-semibold text-muted transition-colors duration-150 hover:text-ink has-checked:border-accent has-checked:text-ink has-checked:ring-1 has-checked:ring-accent has-focus-visible:outline-offset-3"
        choices={styles.map((value) => ({
          value,
          content: (
            <>
              <StylePreview style={value} />
              <span className="pt-1.5 pb-0.5">{CARICATURE_STYLE_NAMES[value]}</span>
            </>
          ),
        }))}
      />
    </>
  );
}

interface StartButtonProps {
  hasPhoto: boolean;
  isFocused: boolean;
  isPending: boolean;
  isBlocked: boolean;
  onStart: () => void;
}

function StartButton({ hasPhoto, isFocused, isPending, isBlocked, onStart }: StartButtonProps) {
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (isFocused) button.current?.focus();
  }, [isFocused]);
  return (
    <>
      {/* The button is sticky on phones once a photo is chosen. */}
      <p
        role="status"
        className="mt-5 mb-2.5 flex min-h-6 items-center justify-center gap-1.5 text-small lg:mt-auto lg:pt-5"
      >
        {hasPhoto ? (
          <span className="flex animate-fade-in items-center gap-1.5 font-semibold text-sage">
            <CircleCheck className="size-4.5 stroke-2" />
            Photo Selected
          </span>
        ) : (
          <span className="text-muted">Choose a photo to begin</span>
        )}
      </p>
      <Button
        ref={button}
        className={classNames(
          'min-h-13 w-full text-lead shadow-print disabled:cursor-default disabled:bg-well disabled:text-muted disabled:shadow-none',
          hasPhoto && 'max-lg:sticky max-lg:bottom-4 max-lg:z-10',
        )}
        disabled={!hasPhoto}
        aria-disabled={isBlocked}
        onClick={onStart}
        isPending={isPending}
        pendingText="Starting..."
      >
        <WandSparkles />
        Create Caricature
      </Button>
    </>
  );
}

const stylePreviews = import.meta.glob<string>('./style-previews/*.{webp,jpg,png}', {
  eager: true,
  query: '?url',
  import: 'default',
});

function StylePreview({ style }: { style: CaricatureStyle }) {
  const url = Object.entries(stylePreviews).find(([path]) => path.includes(`/${style}.`))?.[1];
  return (
    <span className="block aspect-[3/2] overflow-hidden rounded-[5px] bg-well">
      {url && <img src={url} alt="" loading="lazy" decoding="async" className="size-full object-cover" />}
    </span>
  );
}

export function GenerateCardSkeleton() {
  return (
    <div className="rounded-sheet bg-sheet p-5 shadow-print sm:p-8">
      <Skeleton className="h-7 w-56" />
      <div className="mt-6 grid gap-x-12 gap-y-7 lg:grid-cols-[minmax(0,8fr)_minmax(0,5fr)]">
        <Skeleton className="h-56 lg:h-96" />
        <Skeleton className="h-72 lg:h-96" />
      </div>
    </div>
  );
}

interface PetSelectProps {
  /** Null at first; empty after an attempt without a pet. */
  petId: string | null;
  onChoose: (petId: string) => void;
  ref: RefObject<HTMLSelectElement | null>;
}

/** For a photo without a pet, which stays without one. */
function PetSelect({ petId, onChoose, ref }: PetSelectProps) {
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
      options={pets.map(toPetOption)}
      value={petId ?? ''}
      onChange={({ target }) => onChoose(target.value)}
      error={petId === '' ? 'Please choose a pet' : undefined}
    />
  );
}
