import { type CSSProperties, useEffect, useState } from 'react';
import { type Caricature, CARICATURE_STYLE_NAMES } from '#shared/caricature';
import { classNames } from '../../lib/class-names.ts';
import { Photo, toImageSources } from '../photos/photo.tsx';
import { GeneratingPhoto } from './generating-photo.tsx';

interface Size {
  width: number;
  height: number;
}

interface BeforeAndAfterProps {
  caricature: Caricature;
  petName: string;
  isFinished: boolean;
  /** Of the cartoon; null while it is not known. */
  size: Size | null;
}

/** Each in its own shape, uncut. On a phone the photo lies as a small print on the cartoon's corner. */
export function BeforeAndAfter({ caricature, petName, isFinished, size }: BeforeAndAfterProps) {
  const { originalImageUrl, caricatureImageUrl, style } = caricature;
  const originalSize = useImageSize(originalImageUrl) ?? null;
  return (
    <div className="relative mx-auto my-7 flex w-fit max-w-full items-center justify-center sm:my-9 sm:gap-10">
      {originalImageUrl && (
        <div className="-rotate-4 rounded-print bg-print p-1.5 shadow-lifted max-sm:absolute max-sm:-bottom-4 max-sm:-left-2 max-sm:z-10 sm:p-2">
          <Photo
            photo={{ imageUrl: originalImageUrl, placeholder: null }}
            description={`The photo of ${petName}`}
            isEager
            sizes="(min-width: 640px) 240px, 96px"
            style={shapeOf(originalSize)}
            className="w-[calc(min(12dvh,5.5rem)*var(--fit))] rounded-[2px] sm:w-[calc(24dvh*var(--fit))]"
          />
        </div>
      )}
      <div
        key={caricatureImageUrl}
        className={classNames(
          'min-w-0 rotate-1 rounded-print bg-print p-2 shadow-lifted sm:p-2.5',
          isFinished && 'animate-rise',
        )}
      >
        {isFinished && caricatureImageUrl ? (
          <Photo
            photo={{ imageUrl: caricatureImageUrl, placeholder: null }}
            description={`Caricature of ${petName}, ${CARICATURE_STYLE_NAMES[style].toLowerCase()}`}
            isEager
            sizes="(min-width: 640px) 400px, 85vw"
            style={shapeOf(size ?? originalSize)}
            className={large}
          />
        ) : (
          <GeneratingPhoto
            originalImageUrl={originalImageUrl}
            sizes="(min-width: 640px) 400px, 85vw"
            style={shapeOf(originalSize)}
            className={large}
          />
        )}
      </div>
    </div>
  );
}

const NARROWEST = 0.6;
const WIDEST = 1.8;

/** As large as there is room for. */
const large = 'w-[calc(44dvh*var(--fit))] max-w-full rounded-[2px]';

/** Square while nothing is known; what lies is not as high as what stands. */
function shapeOf(size: Size | null): CSSProperties {
  const aspect = size ? Math.min(WIDEST, Math.max(NARROWEST, size.width / size.height)) : 1;
  return { aspectRatio: aspect, '--fit': Math.min(aspect, 1.15) } as CSSProperties;
}

/** Fetches a picture ahead. @returns its size once it is there; null when it can't be had */
export function useImageSize(imageUrl: string | null): Size | null | undefined {
  const [known, setKnown] = useState<{ imageUrl: string; size: Size | null }>();
  useEffect(() => {
    if (imageUrl === null) return undefined;
    const image = new Image();
    image.onload = () =>
      setKnown({ imageUrl, size: { width: image.naturalWidth, height: image.naturalHeight } });
    image.onerror = () => setKnown({ imageUrl, size: null });
    image.src = toImageSources(imageUrl).src;
    return () => {
      image.onload = image.onerror = null;
    };
  }, [imageUrl]);
  return known?.imageUrl === imageUrl ? known?.size : undefined;
}
