import { Pencil, Sparkle } from 'lucide-react';
import type { CSSProperties } from 'react';
import { classNames } from '../../../lib/class-names.ts';
import { toImageSources } from '../../../lib/image-sources.ts';
import './generating-photo.css';

interface GeneratingPhotoProps {
  /** Null if the photo was deleted. */
  originalImageUrl: string | null;
  sizes: string;
  className?: string;
  style?: CSSProperties;
}

export function GeneratingPhoto({ originalImageUrl, sizes, className, style }: GeneratingPhotoProps) {
  const photo = originalImageUrl && { ...toImageSources(originalImageUrl), sizes, alt: '' };
  return (
    <div aria-hidden className={classNames('relative overflow-hidden bg-well', className)} style={style}>
      {photo && <img {...photo} className="generating-photo" />}
      {photo && <img {...photo} className="generating-photo generating-color" />}
      <div className="generating-dots" />
      <div className="generating-pencil">
        <Pencil className="size-11 stroke-2" />
      </div>
      {['left-[14%] top-[18%]', 'right-[16%] top-[30%]', 'left-[30%] bottom-[16%]'].map((className) => (
        <Sparkle key={className} className={`generating-sparkle ${className}`} fill="currentColor" />
      ))}
    </div>
  );
}
