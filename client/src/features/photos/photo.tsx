import { ImageOff } from 'lucide-react';
import { useMemo, type CSSProperties, type Ref } from 'react';
import { IMAGE_NOT_FOUND, type Memory } from '#shared/album/memory';
import { classNames } from '../../lib/class-names.ts';
import { decodePlaceholder } from './decode-placeholder.ts';
import { toImageSources } from '../../lib/image-sources.ts';
import { usePhotoState } from './use-photo-state.ts';

export interface PhotoProps {
  photo: Pick<Memory, 'imageUrl' | 'placeholder'>;
  description: string;
  sizes: string;
  isEager?: boolean;
  isFirst?: boolean;
  /** A URL that is shown while the photo is loading, instead of its usual preview. */
  preview?: string | null;
  /** Shows the original file, for animations. */
  isOriginal?: boolean;
  /** Sets the frame's size, so that loading shifts nothing. */
  className?: string;
  style?: CSSProperties;
}

/** Fills its frame: a preview while loading, then the photo, or a placeholder if it cannot be loaded. */
export function Photo({
  photo,
  description,
  sizes,
  isEager = false,
  isFirst = false,
  preview: ownPreview = null,
  isOriginal = false,
  className,
  style,
}: PhotoProps) {
  const { state, isFading, placeholderRef, imageRef, onLoad, onError } = usePhotoState(photo.imageUrl);
  const { imageUrl, placeholder } = photo;
  const preview = useMemo(
    () => ownPreview ?? localThumbnails.get(imageUrl) ?? decodePlaceholder(placeholder),
    [ownPreview, imageUrl, placeholder],
  );
  return (
    <div
      className={classNames('relative overflow-hidden bg-well', className)}
      style={preview && state !== 'failed' ? { ...style, ...toBackground(preview) } : style}
    >
      {state === 'failed' ? (
        <ImageNotFound ref={placeholderRef} description={description} />
      ) : (
        <img
          ref={imageRef}
          {...(isOriginal ? { src: photo.imageUrl } : { ...toImageSources(photo.imageUrl), sizes })}
          alt={description}
          loading={isEager ? 'eager' : 'lazy'}
          fetchPriority={isFirst ? 'high' : 'auto'}
          decoding="async"
          onLoad={onLoad}
          onError={onError}
          className={classNames(
            'absolute inset-0 size-full object-cover',
            isFading && 'transition-opacity duration-200 ease-gentle',
            state === 'loading' && 'opacity-0',
          )}
        />
      )}
    </div>
  );
}

/** Data URLs of the photos uploaded in this tab, by image URL. */
const localThumbnails = new Map<string, string>();

/** Shows a photo where its image is still loading. */
export function setLocalThumbnail(imageUrl: string, thumbnail: string): void {
  localThumbnails.set(imageUrl, thumbnail);
}

/** No second image per photo: lists show many. */
function toBackground(url: string): CSSProperties {
  return { backgroundImage: `url(${url})`, backgroundSize: 'cover', backgroundPosition: 'center' };
}

function ImageNotFound({ ref, description }: { ref: Ref<HTMLDivElement>; description: string }) {
  return (
    <div
      ref={ref}
      role="img"
      aria-label={`${description}: ${IMAGE_NOT_FOUND}`}
      // Its text is generated content: a button around it has another name, which would have to include visible text.
      data-text={IMAGE_NOT_FOUND}
      className="absolute inset-0 flex flex-col items-center justify-center gap-2 p-2 text-center text-small text-muted after:content-[attr(data-text)]"
    >
      <ImageOff className="size-6" />
    </div>
  );
}
