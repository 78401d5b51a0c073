import type { ReactNode } from 'react';
import type { Caricature } from '#shared/caricature';
import { Skeleton } from '../../../ui/skeleton.tsx';

const grid = 'grid grid-cols-2 gap-x-5 gap-y-9 sm:grid-cols-3 sm:gap-x-7 lg:grid-cols-4';
const PLACEHOLDERS = 4;

interface CaricatureGridProps {
  caricatures: Caricature[];
  renderCard: (caricature: Caricature, index: number) => ReactNode;
}

export function CaricatureGrid({ caricatures, renderCard }: CaricatureGridProps) {
  return (
    <ul className={grid}>
      {caricatures.map((caricature, index) => (
        <li key={caricature.id} className="min-w-0">
          {renderCard(caricature, index)}
        </li>
      ))}
    </ul>
  );
}

/** In the shape of the caricatures to come. */
export function CaricatureGridSkeleton() {
  return (
    <div className={grid}>
      {Array.from({ length: PLACEHOLDERS }, (_, index) => (
        <div key={index}>
          <Skeleton className="aspect-square" />
          <Skeleton className="mt-3 h-5 w-2/3" />
          <Skeleton className="mt-2 h-4 w-1/2" />
        </div>
      ))}
    </div>
  );
}
