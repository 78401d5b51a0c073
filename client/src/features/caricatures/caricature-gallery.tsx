import { type ReactNode, useId } from 'react';
import type { Caricature } from '#shared/caricature';
import type { Pet } from '#shared/pet';
import { Button } from '../../ui/button.tsx';
import { ErrorNotice } from '../../ui/error-notice.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { generatorNames, isGeneratorShown } from './generator-names.ts';
import { Badge } from '../../ui/badge.tsx';
import { useCaricatureOptions, useCaricatures } from './caricature-api.ts';
import { GenerateCard, GenerateCardSkeleton } from './generate-card.tsx';
import { usePickablePhotos } from './use-pickable-photos.ts';
import { CaricatureCard } from './caricature-card.tsx';
import { NoCaricatures } from './no-caricatures.tsx';
import { findPetName, useCaricatureDialogs } from './use-caricature-dialogs.tsx';

interface CaricatureGalleryProps {
  /** Empty for all pets. */
  petId: string;
  pets: Pet[];
  /** The id of the chosen photo's memory, or an empty string. */
  photoId: string;
  onChoosePhoto: (memoryId: string) => void;
  /** The photo was chosen on another page. */
  isPhotoPreselected: boolean;
  filter: ReactNode;
  firstPhotoButton: ReactNode;
}

const EAGER_COUNT = 8;
const PLACEHOLDERS = 4;
const grid = 'grid grid-cols-2 gap-x-5 gap-y-9 sm:grid-cols-3 sm:gap-x-7 lg:grid-cols-4';

export function CaricatureGallery({ petId, pets, photoId, ...on }: CaricatureGalleryProps) {
  const headingId = useId();
  const list = useCaricatures(petId);
  const { data: options, ...optionsState } = useCaricatureOptions();
  const { ids: photoIds, count, chosen, query: photos } = usePickablePhotos(petId, photoId);
  const caricatures = list.isPlaceholderData ? undefined : list.data;
  const { start, isStarting, isBlocked, open, buildMenu, retry, dialogs } = useCaricatureDialogs(
    caricatures,
    pets,
  );
  const nextGenerator = options?.enabled ? options.artist : undefined;
  const hasFailed = list.isError && !list.data;
  /** The existing caricatures are shown even if new ones cannot be started. */
  const canNotStart = (!options && optionsState.isFetched) || (!photoIds && photos.error !== null);
  const isLoading = !caricatures || ((!options || !photoIds) && !canNotStart);

  const retryGenerateCard = () => {
    photos.retry();
    void optionsState.refetch();
  };
  return (
    <section aria-labelledby={headingId} aria-busy={isLoading && !hasFailed}>
      <div className="mb-5 flex flex-wrap items-center justify-between gap-x-6 gap-y-4">
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
          <h2 id={headingId} data-focus-fallback="" tabIndex={-1} className="text-title outline-none">
            Pet Caricatures
          </h2>
          {nextGenerator && <Badge>{generatorNames[nextGenerator]}</Badge>}
        </div>
        <div className="flex max-sm:w-full">{on.filter}</div>
      </div>
      <p role="status" className="sr-only">
        {hasFailed ? '' : isLoading ? 'Loading...' : formatProgress(caricatures)}
      </p>
      {hasFailed ? (
        <ErrorNotice
          onRetry={() => {
            retryGenerateCard();
            void list.refetch();
          }}
          isRetrying={list.isFetching}
        >
          Your caricatures could not be loaded. They are safe; please check your connection and try again.
        </ErrorNotice>
      ) : isLoading ? (
        <>
          <GenerateCardSkeleton />
          <div className={`mt-12 ${grid}`}>
            {Array.from({ length: PLACEHOLDERS }, (_, index) => (
              <div key={index}>
                <Skeleton className="aspect-square" />
                <Skeleton className="mt-3 h-5 w-2/3" />
                <Skeleton className="mt-2 h-4 w-1/2" />
              </div>
            ))}
          </div>
        </>
      ) : (
        <>
          {!options || !photoIds ? (
            <ErrorNotice onRetry={retryGenerateCard} isRetrying={optionsState.isFetching}>
              New caricatures can’t be started right now. Please check your connection and try again.
            </ErrorNotice>
          ) : (
            options.enabled &&
            photoIds.length > 0 && (
              <GenerateCard
                photoIds={photoIds}
                count={count}
                chosen={chosen}
                onChoose={({ id }) => on.onChoosePhoto(id)}
                petId={petId}
                pets={pets}
                options={options}
                isPhotoPreselected={on.isPhotoPreselected}
                isPending={isStarting}
                isBlocked={isBlocked}
                onStart={start}
              />
            )
          )}
          <div className="mt-12">
            {caricatures.length > 0 ? (
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
            ) : (
              options &&
              photoIds && (
                <NoCaricatures
                  isEnabled={options.enabled}
                  action={photoIds.length === 0 && petId === '' ? on.firstPhotoButton : null}
                  hasPhotos={photoIds.length > 0}
                />
              )
            )}
          </div>
          <MoreCaricatures {...list} />
        </>
      )}
      {dialogs}
    </section>
  );
}

function formatProgress(caricatures: Caricature[]): string {
  const count = caricatures.filter(({ status }) => status === 'generating').length;
  if (count === 0) return '';
  return count === 1 ? 'One caricature is being created.' : `${count} caricatures are being created.`;
}

function MoreCaricatures({
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
