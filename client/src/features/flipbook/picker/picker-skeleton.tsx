import { Skeleton } from '../../../ui/skeleton.tsx';

const PLACEHOLDERS = 24;

/** In the shape of the tiles to come. */
export function PickerSkeleton() {
  return (
    <div className="overflow-hidden px-5 pt-4 sm:px-8">
      <p role="status" className="sr-only">
        Loading...
      </p>
      <div className="grid grid-cols-3 gap-3.5 sm:grid-cols-[repeat(auto-fill,minmax(148px,1fr))]">
        {Array.from({ length: PLACEHOLDERS }, (_, index) => (
          <div key={index} className="pb-12">
            <Skeleton className="aspect-square" />
          </div>
        ))}
      </div>
    </div>
  );
}
