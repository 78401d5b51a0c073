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
  /** The chosen pet; empty for all. */
  petId: string;
  pets: Pet[];
  /** The memory whose photo is chosen; empty while none is. */
  photoId: string;
  onChoosePhoto: (memoryId: string) => void;
  /** They come from elsewhere to have that photo drawn. */
  isCalled: boolean;
  /** Chooses the pet. */
  filter: ReactNode;
  /** Adds the first photo. */
  firstPhotoButton: ReactNode;
}

const EAGER_PICTURES = 8;
const PLACEHOLDERS = 4;
const grid = 'grid grid-cols-2 gap-x-5 gap-y-9 sm:grid-cols-3 sm:gap-x-7 lg:grid-cols-4';

/** Photos that became cartoons, and where they do. */
export function CaricatureGallery({ petId, pets, photoId, ...on }: CaricatureGalleryProps) {
  const headingId = useId();
  const list = useCaricatures(petId);
  const { data: options, ...optionsState } = useCaricatureOptions();
  const { ids: photoIds, count, chosen, query: photos } = usePickablePhotos(petId, photoId);
  const caricatures = list.isPlaceholderData ? undefined : list.data;
  const { order, isOrdering, isHeld, open, menuOf, tryAgain, dialogs } = useCaricatureDialogs(
    caricatures,
    pets,
  );
  /** Of the next one. */
  const artist = options?.enabled ? options.artist : undefined;
  const hasFailed = list.isError && !list.data;
  /** Without these none is begun; those that are there are shown all the same. */
  const isStartMissing = (!options && optionsState.isFetched) || (!photoIds && photos.error !== null);
  const isLoading = !caricatures || ((!options || !photoIds) && !isStartMissing);

  const retryStart = () => {
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
          {artist && <Badge>{generatorNames[artist]}</Badge>}
        </div>
        <div className="flex max-sm:w-full">{on.filter}</div>
      </div>
      <p role="status" className="sr-only">
        {hasFailed ? '' : isLoading ? 'Loading...' : progressOf(caricatures)}
      </p>
      {hasFailed ? (
        <ErrorNotice
          onRetry={() => {
            retryStart();
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
            <ErrorNotice onRetry={retryStart} isRetrying={optionsState.isFetching}>
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
                isCalled={on.isCalled}
                isPending={isOrdering}
                isHeld={isHeld}
                onOrder={order}
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
                      isGeneratorShown={isGeneratorShown(caricatures, artist)}
                      isEager={index < EAGER_PICTURES}
                      menu={menuOf(caricature)}
                      onOpen={() => open(caricature)}
                      onTryAgain={tryAgain && (() => tryAgain(caricature))}
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

/** For screen readers. */
function progressOf(caricatures: Caricature[]): string {
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
