import type { SquareCrop } from '#shared/photos/square-crop';
import { classNames } from '../../lib/class-names.ts';
import type { PictureSource } from './picture-source.ts';

interface CroppedPictureProps {
  source: PictureSource;
  crop: SquareCrop;
  alt: string;
  className?: string;
  imageClassName?: string;
}

/** Exactly what the server will cut out. */
export function CroppedPicture({ source, crop, alt, className, imageClassName }: CroppedPictureProps) {
  const { left, top, size } = crop;
  const percent = (pixels: number) => `${(pixels / size) * 100}%`;
  return (
    <div className={classNames('relative aspect-square overflow-hidden bg-well', className)}>
      <img
        src={source.url}
        alt={alt}
        draggable={false}
        style={{
          width: percent(source.width),
          height: percent(source.height),
          left: percent(-left),
          top: percent(-top),
        }}
        className={classNames('absolute max-w-none select-none', imageClassName)}
      />
    </div>
  );
}
