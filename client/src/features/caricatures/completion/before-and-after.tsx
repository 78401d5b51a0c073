import { type CSSProperties, useEffect, useState } from 'react';
import { type Caricature, CARICATURE_STYLE_NAMES } from '#shared/album/caricature';
import { classNames } from '../../../lib/class-names.ts';
import { toImageSources } from '../../../lib/image-sources.ts';
import { Photo } from '../../photos/photo.tsx';
import { GeneratingPhoto } from '../generate/generating-photo.tsx';

interface Size {
  width: number;
  height: number;
}

interface BeforeAndAfterProps {
  caricature: Caricature;
  petName: string;
  isCompleted: boolean;
  /** The caricature's size; null while unknown. */
  size: Size | null;
}

export function BeforeAndAfter({ caricature, petName, isCompleted, size }: BeforeAndAfterProps) {
  const { originalImageUrl, caricatureImageUrl, style } = caricature;
  const originalSize = useImageSize(originalImageUrl) ?? null;
  return (
    // At least as high as any caricature, which may have another shape than its photo.
    <div className="relative mx-auto my-7 flex min-h-[calc(44dvh+1rem)] w-fit max-w-full items-center justify-center sm:my-9 sm:min-h-[calc(44dvh+1.25rem)] sm:gap-10">
      {originalImageUrl && (
        <div className="-rotate-4 rounded-print bg-print p-1.5 shadow-lifted max-sm:absolute max-sm:-bottom-4 max-sm:-left-2 max-sm:z-10 sm:p-2">
          <Photo
            photo={{ imageUrl: originalImageUrl, placeholder: null }}
            description={`The photo of ${petName}`}
            isEager
            sizes="(min-width: 640px) 240px, 96px"
            style={toFrameStyle(originalSize)}
            className="w-[calc(min(12dvh,5.5rem)*var(--fit))] rounded-[2px] sm:w-[calc(24dvh*var(--fit))]"
          />
        </div>
      )}
      <div
        key={caricatureImageUrl}
        className={classNames(
          'min-w-0 rotate-1 rounded-print bg-print p-2 shadow-lifted sm:p-2.5',
          isCompleted && 'animate-rise',
        )}
      >
        {isCompleted && caricatureImageUrl ? (
          <Photo
            photo={{ imageUrl: caricatureImageUrl, placeholder: null }}
            description={`Caricature of ${petName}, ${CARICATURE_STYLE_NAMES[style].toLowerCase()}`}
            isEager
            sizes="(min-width: 640px) 400px, 85vw"
            style={toFrameStyle(size ?? originalSize)}
            className={caricatureFrame}
          />
        ) : (
          <GeneratingPhoto
            originalImageUrl={originalImageUrl}
            sizes="(min-width: 640px) 400px, 85vw"
            style={toFrameStyle(originalSize)}
            className={caricatureFrame}
          />
        )}
      </div>
    </div>
  );
}

const MIN_ASPECT = 0.6;
const MAX_ASPECT = 1.8;

const caricatureFrame = 'w-[calc(44dvh*var(--fit))] max-w-full rounded-[2px]';

/** Square while the size is unknown. Landscape images are not as high as portrait ones. */
function toFrameStyle(size: Size | null): CSSProperties {
  const aspect = size ? Math.min(MAX_ASPECT, Math.max(MIN_ASPECT, size.width / size.height)) : 1;
  return { aspectRatio: aspect, '--fit': Math.min(aspect, 1.15) } as CSSProperties;
}

/** Preloads an image. @returns its size; undefined while loading, null if it cannot be loaded */
export function useImageSize(imageUrl: string | null): Size | null | undefined {
  const [loaded, setLoaded] = useState<{ imageUrl: string; size: Size | null }>();
  useEffect(() => {
    if (imageUrl === null) return undefined;
    const image = new Image();
    image.onload = () =>
      setLoaded({ imageUrl, size: { width: image.naturalWidth, height: image.naturalHeight } });
    image.onerror = () => setLoaded({ imageUrl, size: null });
    image.src = toImageSources(imageUrl).src;
    return () => {
      image.onload = image.onerror = null;
    };
  }, [imageUrl]);
  return loaded?.imageUrl === imageUrl ? loaded?.size : undefined;
}
