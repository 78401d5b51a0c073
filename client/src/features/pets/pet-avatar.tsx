import { Bird, Cat, createLucideIcon, Dog, Fish, PawPrint, Rabbit, type LucideIcon } from 'lucide-react';
import { useState } from 'react';
import type { Pet, PetSpecies } from '#shared/album/pet';
import { IMAGE_WIDTHS } from '#shared/photos/image-widths';
import { toCopyUrl } from '../../lib/image-sources.ts';
import { classNames } from '../../lib/class-names.ts';
import { speciesNames } from './species.ts';

export interface PetAvatarProps {
  pet: Pick<Pet, 'name' | 'species' | 'profileImageUrl'>;
  /** Stands for a missing picture. */
  newestImageUrl?: string | null;
  sizes: string;
  isEager?: boolean;
  /** No alternative text: the pet's name is beside it. */
  isDecoration?: boolean;
  className?: string;
}

export function PetAvatar({
  pet,
  newestImageUrl = null,
  sizes,
  isEager = false,
  isDecoration = false,
  className,
}: PetAvatarProps) {
  const url = pet.profileImageUrl ?? newestImageUrl;
  const [failedUrl, setFailedUrl] = useState<string | null>(null);
  const [loadedUrl, setLoadedUrl] = useState<string | null>(null);
  const showIfCached = (image: HTMLImageElement | null) => {
    if (image?.complete && image.naturalWidth > 0) setLoadedUrl(url);
  };
  return (
    <span
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
          src={toCopyUrl(url, 400)}
          srcSet={IMAGE_WIDTHS.map((width) => `${toCopyUrl(url, width)} ${width}w`).join(', ')}
          sizes={sizes}
          alt={isDecoration ? '' : `${pet.name}, ${speciesNames[pet.species].toLowerCase()}`}
          loading={isEager ? 'eager' : 'lazy'}
          decoding="async"
          onLoad={() => setLoadedUrl(url)}
          onError={() => setFailedUrl(url)}
          className={classNames(
            'absolute inset-0 size-full object-cover transition-opacity duration-200 ease-gentle',
            loadedUrl !== url && 'opacity-0',
          )}
        />
      )}
    </span>
  );
}

/** Missing in the icon set. */
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

const icons: Record<PetSpecies, LucideIcon> = {
  dog: Dog,
  cat: Cat,
  bird: Bird,
  fish: Fish,
  rabbit: Rabbit,
  hamster: Hamster,
  other: PawPrint,
};

/** Decoration. Its stroke has the same width at every size. */
export function SpeciesIcon({ species, className }: { species: PetSpecies; className?: string }) {
  const Icon = icons[species];
  return <Icon className={classNames('[&_*]:[vector-effect:non-scaling-stroke]', className)} />;
}
