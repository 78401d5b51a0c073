import { Pencil, Trash2 } from 'lucide-react';
import { useId, useState, type ReactNode } from 'react';
import { Link } from 'wouter';
import type { Pet } from '#shared/album/pet';
import { classNames } from '../../lib/class-names.ts';
import { formatLongMemoryDate } from '../../lib/dates.ts';
import { petGalleryPath } from '../../lib/routing/paths.ts';
import { speciesNames } from './species.ts';
import { IconButton } from '../../ui/buttons/icon-button.tsx';
import { PetAvatar } from './pet-avatar.tsx';
import { Tooltip } from '../../ui/tooltip.tsx';

export interface PetMemories {
  count: number;
  newestImageUrl: string | null;
}

export const NO_MEMORIES: PetMemories = { count: 0, newestImageUrl: null };

interface PetCardProps {
  pet: Pet;
  /** Undefined while they are loading. */
  memories: PetMemories | undefined;
  isEager: boolean;
  onEdit: () => void;
  onDelete: () => void;
}

/** Focusable: receives the focus when its neighbor is deleted. */
export function PetCard({ pet, memories, isEager, onEdit, onDelete }: PetCardProps) {
  const heading = useId();
  const memoryCount = memories?.count;
  const buttons = [
    { name: 'Edit', Icon: Pencil, onPress: onEdit },
    { name: 'Delete', Icon: Trash2, onPress: onDelete },
  ];
  return (
    <article tabIndex={-1} aria-labelledby={heading} className="min-w-0 rounded-print outline-offset-8">
      <Link
        href={petGalleryPath(pet.id)}
        // The link below is the tab stop.
        tabIndex={-1}
        aria-label={`Memories of ${pet.name}`}
        className="block rounded-print bg-print p-2.5 shadow-print transition-[translate,box-shadow] duration-200 ease-gentle hover:-translate-y-1 hover:shadow-lifted"
      >
        <PetAvatar
          pet={pet}
          newestImageUrl={memories?.newestImageUrl ?? null}
          isEager={isEager}
          sizes="(min-width: 1024px) 330px, (min-width: 640px) 45vw, 90vw"
          // The icon needs less height on phones than a picture.
          className={classNames('rounded-[2px]', !pet.profileImageUrl && 'max-sm:aspect-[5/3]')}
        />
      </Link>
      <div className="mt-4 flex items-start gap-2">
        <div className="min-w-0 flex-1">
          <h2 id={heading} dir="auto" className="line-clamp-4 text-left text-title wrap-anywhere">
            {pet.name}
          </h2>
          <p className="mt-0.5 line-clamp-3 wrap-anywhere text-muted">
            {speciesNames[pet.species]}
            {pet.breed && (
              <>
                {' · '}
                <bdi>{pet.breed}</bdi>
              </>
            )}
          </p>
          <p className={classNames('h-11', memoryCount === undefined && 'invisible')}>
            {memoryCount === 0 ? (
              <span className="flex h-full items-center text-muted">No memories yet</span>
            ) : (
              <Link
                href={petGalleryPath(pet.id)}
                className="inline-flex h-full items-center font-semibold text-accent tabular-nums underline-offset-4 hover:underline"
              >
                {(memoryCount ?? 1).toLocaleString('en')} {memoryCount === 1 ? 'memory' : 'memories'}
              </Link>
            )}
          </p>
        </div>
        <div className="-mr-2.5 flex shrink-0">
          {buttons.map(({ name, Icon, onPress }) => (
            <Tooltip key={name} text={name}>
              <IconButton aria-haspopup="dialog" name={`${name} ${pet.name}`} onClick={onPress}>
                <Icon className="size-4.5" />
              </IconButton>
            </Tooltip>
          ))}
        </div>
      </div>
      <PetFacts pet={pet} />
    </article>
  );
}

function PetFacts({ pet: { age, weight, birthdayOrGotchaDay, description } }: { pet: Pet }) {
  if (!age && !weight && !birthdayOrGotchaDay && !description) return null;
  return (
    <dl className="mt-2 grid grid-cols-2 gap-x-6 gap-y-3 border-t border-hairline pt-4">
      {age && (
        <Fact name="Age">
          <bdi>{age}</bdi>
        </Fact>
      )}
      {weight && (
        <Fact name="Weight">
          <bdi>{weight}</bdi>
        </Fact>
      )}
      {birthdayOrGotchaDay && (
        <Fact name="Birthday or gotcha day" isWide>
          <time dateTime={birthdayOrGotchaDay}>{formatLongMemoryDate(birthdayOrGotchaDay)}</time>
        </Fact>
      )}
      {description && (
        <Fact name="About" isWide>
          <About text={description} />
        </Fact>
      )}
    </dl>
  );
}

function Fact({ name, isWide = false, children }: { name: string; isWide?: boolean; children: ReactNode }) {
  return (
    <div className={isWide ? 'col-span-2' : 'min-w-0'}>
      <dt className="text-small text-muted">{name}</dt>
      <dd className="wrap-anywhere">{children}</dd>
    </div>
  );
}

/** A longer text does not fit into the clamped lines on any card. */
const MAX_CLAMPED_LENGTH = 420;

function About({ text }: { text: string }) {
  const [isOpen, setOpen] = useState(false);
  const isLong = text.length > MAX_CLAMPED_LENGTH || text.split('\n').length > 7;
  return (
    <>
      <p dir="auto" className={classNames('whitespace-pre-line', isLong && !isOpen && 'line-clamp-6')}>
        {text}
      </p>
      {isLong && (
        <button
          type="button"
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
          className="min-h-11 font-semibold underline decoration-hairline decoration-2 underline-offset-4 hover:decoration-accent"
        >
          {isOpen ? 'Read less' : 'Read more'}
        </button>
      )}
    </>
  );
}
