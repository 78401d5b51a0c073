import { Bird, Cat, createLucideIcon, Dog, Fish, PawPrint, Rabbit, type LucideIcon } from 'lucide-react';
import { useState } from 'react';
import type { Pet, PetSpecies } from '#shared/pet';
import { IMAGE_WIDTHS } from '#shared/upload';
import { classNames } from '../../lib/class-names.ts';
import { speciesNames } from './species.ts';

interface PetAvatarProps {
  pet: Pick<Pet, 'name' | 'species' | 'profileImageUrl'>;
  /** How wide the picture is on the screen, as in `<img sizes>`. */
  sizes: string;
  /** A picture that is seen at once should not wait for its turn. */
  isEager?: boolean;
  /** The pet's name stands beside it. */
  isDecoration?: boolean;
  className?: string;
}

/** A pet's profile picture, square; its species drawn in a few lines while there is none. */
export function PetAvatar({ pet, sizes, isEager = false, isDecoration = false, className }: PetAvatarProps) {
  const { profileImageUrl: url } = pet;
  const [failedUrl, setFailedUrl] = useState<string | null>(null);
  const [loadedUrl, setLoadedUrl] = useState<string | null>(null);
  const showIfCached = (image: HTMLImageElement | null) => {
    if (image?.complete && image.naturalWidth > 0) setLoadedUrl(url);
  };
  return (
    <div
      className={classNames(
        'relative grid aspect-square place-items-center overflow-hidden bg-well',
        className,
      )}
    >
      {url === null || url === failedUrl ? (
        <SpeciesIcon species={pet.species} className="size-[46%] text-edge" />
      ) : (
        <img
          key={url}
          ref={showIfCached}
          src={`${url}?w=400`}
          srcSet={IMAGE_WIDTHS.map((width) => `${url}?w=${width} ${width}w`).join(', ')}
          sizes={sizes}
          alt={isDecoration ? '' : `${pet.name}, ${speciesNames[pet.species].toLowerCase()}`}
          loading={isEager ? 'eager' : 'lazy'}
          decoding="async"
          onLoad={() => setLoadedUrl(url)}
          onError={() => setFailedUrl(url)}
          className={classNames(
            'absolute inset-0 size-full object-cover transition-opacity duration-200 ease-settle',
            loadedUrl !== url && 'opacity-0',
          )}
        />
      )}
    </div>
  );
}

/** The icon set has none: drawn to stand beside its dog and its cat. */
const Hamster = createLucideIcon('hamster', [
  [
    'path',
    {
      d: 'M5.4 9.3C4.4 10.6 3.8 12.2 3.8 14c0 4.2 3.6 7 8.2 7s8.2-2.8 8.2-7c0-1.8-.6-3.4-1.6-4.7',
      key: 'face',
    },
  ],
  ['path', { d: 'M8.6 7.1a9.3 9.3 0 0 1 6.8 0', key: 'brow' }],
  ['path', { d: 'M5.4 9.3a2.3 2.3 0 1 1 3.2-2.2', key: 'left-ear' }],
  ['path', { d: 'M15.4 7.1a2.3 2.3 0 1 1 3.2 2.2', key: 'right-ear' }],
  ['path', { d: 'M8.5 12.5v.5', key: 'left-eye' }],
  ['path', { d: 'M15.5 12.5v.5', key: 'right-eye' }],
  ['path', { d: 'M11.25 15h1.5l-.75.75zM12 15.75v1', key: 'nose' }],
  ['path', { d: 'M4.5 16.6c1.7-1.3 4.1-.9 5 1.2', key: 'left-cheek' }],
  ['path', { d: 'M19.5 16.6c-1.7-1.3-4.1-.9-5 1.2', key: 'right-cheek' }],
]);

const marks: Record<PetSpecies, LucideIcon> = {
  dog: Dog,
  cat: Cat,
  bird: Bird,
  fish: Fish,
  rabbit: Rabbit,
  hamster: Hamster,
  other: PawPrint,
};

/** The animal in a few lines of one width, however large it is drawn. Decoration: the species stands beside it. */
export function SpeciesIcon({ species, className }: { species: PetSpecies; className?: string }) {
  const Mark = marks[species];
  return <Mark className={classNames('[&_*]:[vector-effect:non-scaling-stroke]', className)} />;
}
