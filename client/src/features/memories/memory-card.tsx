import type { Memory } from '#shared/memory';
import { ageLabel } from '../../lib/dates.ts';
import { MemoryImage } from './memory-image.tsx';

/** Extreme panoramas and strips are cropped to these, so that every print stays a picture. */
const NARROWEST = 0.6;
const WIDEST = 2;

interface MemoryCardProps {
  memory: Memory;
  isEager?: boolean;
}

/**
 * One print in the album, in the shape that it has: upright and lying photos share a page without being cut. It fills
 * two rows of its grid, so that the prints of a row stand on one line and their captions begin on one.
 */
export function MemoryCard({ memory, isEager = false }: MemoryCardProps) {
  const aspect = aspectOf(memory);
  const widthShare = Math.min(1, aspect);
  return (
    <figure className="group row-span-2 grid grid-rows-subgrid">
      <div className="flex items-end justify-center">
        <div
          className="rounded-print bg-print p-2 shadow-print transition-[translate,box-shadow] duration-200 ease-settle group-hover:-translate-y-1 group-hover:shadow-lifted"
          style={{ width: `${widthShare * 100}%` }}
        >
          <MemoryImage
            memory={memory}
            isEager={isEager}
            sizes={`(min-width: 1024px) ${Math.round(widthShare * 340)}px, (min-width: 640px) ${Math.round(widthShare * 45)}vw, ${Math.round(widthShare * 90)}vw`}
            style={{ aspectRatio: aspect }}
            className="rounded-[2px]"
          />
        </div>
      </div>
      <figcaption className="pt-3 pb-10 text-center">
        <p dir="auto" className="line-clamp-2 font-display text-body font-medium">
          {memory.caption || 'Untitled Mem'}
        </p>
        <p className="text-small text-muted tabular-nums">
          <time dateTime={memory.createdAt}>{ageLabel(memory.createdAt)}</time>
        </p>
      </figcaption>
    </figure>
  );
}

function aspectOf({ width, height }: Memory): number {
  if (!width || !height) return 1;
  return Math.min(WIDEST, Math.max(NARROWEST, width / height));
}
