import { Skeleton } from '../../../ui/skeleton.tsx';

/** In the shape of the card to come. */
export function GenerateCardSkeleton() {
  return (
    <div className="rounded-sheet bg-sheet p-5 shadow-print sm:p-8">
      <Skeleton className="h-7 w-56" />
      <div className="mt-6 grid gap-x-12 gap-y-7 lg:grid-cols-[minmax(0,8fr)_minmax(0,5fr)]">
        <Skeleton className="h-56 lg:h-96" />
        <Skeleton className="h-72 lg:h-96" />
      </div>
    </div>
  );
}
