import { useState } from 'react';
import type { Pet } from '#shared/pet';
import { IMAGE_WIDTHS } from '#shared/upload';
import { classNames } from '../lib/class-names.ts';
import { speciesNames } from '../lib/species.ts';
import { SpeciesMark } from './species-mark.tsx';

interface PetPictureProps {
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
export function PetPicture({
  pet,
  sizes,
  isEager = false,
  isDecoration = false,
  className,
}: PetPictureProps) {
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
        <SpeciesMark species={pet.species} className="size-[46%] text-edge" />
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
