import type { Caricature, CaricatureGeneratorName } from '#shared/album/caricature';
import type { Pet } from '#shared/album/pet';
import { Button } from '../../ui/buttons/button.tsx';
import { ErrorNotice } from '../../ui/error-notice.tsx';
import { Skeleton } from '../../ui/loading/skeleton.tsx';
import type { useCaricatures } from './caricature-api.ts';
import { CaricatureCard } from './caricature-card.tsx';
import { isGeneratorShown } from './generate/generator-names.ts';
import { findPetName, type useCaricatureDialogs } from './use-caricature-dialogs.tsx';

const EAGER_COUNT = 8;
const PLACEHOLDERS = 4;
const grid = 'grid grid-cols-2 gap-x-5 gap-y-9 sm:grid-cols-3 sm:gap-x-7 lg:grid-cols-4';

interface CaricatureGridProps extends Pick<
  ReturnType<typeof useCaricatureDialogs>,
  'open' | 'buildMenu' | 'retry'
> {
  caricatures: Caricature[];
  pets: Pet[];
  nextGenerator: CaricatureGeneratorName | undefined;
}

export function CaricatureGrid({
  caricatures,
  pets,
  nextGenerator,
  open,
  buildMenu,
  retry,
}: CaricatureGridProps) {
  return (
    <ul className={grid}>
      {caricatures.map((caricature, index) => (
        <li key={caricature.id} className="min-w-0">
          <CaricatureCard
            caricature={caricature}
            petName={findPetName(caricature, pets)}
            isGeneratorShown={isGeneratorShown(caricatures, nextGenerator)}
            isEager={index < EAGER_COUNT}
            menu={buildMenu(caricature)}
            onOpen={() => open(caricature)}
            onRetry={retry && (() => retry(caricature))}
          />
        </li>
      ))}
    </ul>
  );
}

export function CaricatureGridSkeleton() {
  return (
    <div className={`mt-12 ${grid}`}>
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

export function MoreCaricatures({
  hasNextPage,
  isFetchingNextPage,
  isFetchNextPageError,
  fetchNextPage,
}: ReturnType<typeof useCaricatures>) {
  const showMore = () => void fetchNextPage();
  if (isFetchNextPageError)
    return (
      <div className="mt-10">
        <ErrorNotice onRetry={showMore} isRetrying={isFetchingNextPage}>
          The rest of your caricatures could not be loaded.
        </ErrorNotice>
      </div>
    );
  if (!hasNextPage) return null;
  return (
    <div className="mt-10 flex justify-center">
      <Button
        variant="secondary"
        onClick={showMore}
        isPending={isFetchingNextPage}
        pendingText="Loading more..."
      >
        Show more
      </Button>
    </div>
  );
}
