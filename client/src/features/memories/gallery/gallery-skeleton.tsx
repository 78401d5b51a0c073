import { Skeleton } from '../../../ui/skeleton.tsx';
import type { GallerySearchParams } from './gallery-search-params.ts';
import { columnsIn, GAP_PX, MOST_GALLERY_COLUMNS } from '../grid/grid-layout.ts';
import { usePlace } from '../../../lib/use-place.ts';

const PLACEHOLDERS = 12;

/** In the shape of the memories to come. */
export function GallerySkeleton({ view }: Pick<GallerySearchParams, 'view'>) {
  const [{ width }, ref] = usePlace(window);
  const columns = view === 'list' ? 1 : columnsIn(width, MOST_GALLERY_COLUMNS);
  const Placeholder = view === 'list' ? LinePlaceholder : PrintPlaceholder;
  return (
    <div
      ref={ref}
      className="grid"
      style={{ columnGap: GAP_PX, gridTemplateColumns: `repeat(${columns}, minmax(0, 1fr))` }}
    >
      {Array.from({ length: PLACEHOLDERS }, (_, index) => (
        <Placeholder key={index} />
      ))}
    </div>
  );
}

function PrintPlaceholder() {
  return (
    <div className="pb-12">
      <Skeleton className="aspect-square" />
      <Skeleton className="mx-auto mt-3 h-6 w-2/3" />
    </div>
  );
}

function LinePlaceholder() {
  return (
    <div className="flex items-center gap-4 border-b border-hairline py-4">
      <Skeleton className="size-27 shrink-0" />
      <div className="flex-1 space-y-3">
        <Skeleton className="h-6 w-2/3" />
        <Skeleton className="h-4 w-1/3" />
      </div>
    </div>
  );
}
