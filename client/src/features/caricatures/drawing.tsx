import { Pencil, Sparkle } from 'lucide-react';
import type { CSSProperties } from 'react';
import { classNames } from '../../lib/class-names.ts';
import { variantsOf } from '../../ui/photo.tsx';
import './drawing.css';

interface DrawingProps {
  /** Null once the photo is gone. */
  originalImageUrl: string | null;
  sizes: string;
  className?: string;
  style?: CSSProperties;
}

/** A photo that is being turned into a cartoon: a pencil passes over it, and leaves color and dots behind. */
export function Drawing({ originalImageUrl, sizes, className, style }: DrawingProps) {
  const photo = originalImageUrl && { ...variantsOf(originalImageUrl), sizes, alt: '' };
  return (
    <div
      aria-hidden
      className={classNames('drawing relative overflow-hidden bg-well', className)}
      style={style}
    >
      {photo && <img {...photo} className="drawing-photo" />}
      {photo && <img {...photo} className="drawing-photo drawing-color" />}
      <div className="drawing-dots" />
      <div className="drawing-pencil">
        <Pencil className="size-11 stroke-2" />
      </div>
      {['left-[14%] top-[18%]', 'right-[16%] top-[30%]', 'left-[30%] bottom-[16%]'].map((place) => (
        <Sparkle key={place} className={`drawing-sparkle ${place}`} fill="currentColor" />
      ))}
    </div>
  );
}
