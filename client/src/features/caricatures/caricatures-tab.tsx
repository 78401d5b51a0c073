import { WandSparkles } from 'lucide-react';
import { type ReactNode, useId } from 'react';
import { useHistoryState } from 'wouter/use-browser-location';
import type { Caricature } from '#shared/caricature';
import type { Pet } from '#shared/pet';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { ErrorNotice } from '../../ui/error-notice.tsx';
import { LoadingScreen } from '../../ui/loading-screen.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { PetFilter } from '../memories/gallery/gallery-bar.tsx';
import { useGallerySearchParams, useResetMissingPet } from '../memories/gallery/gallery-search-params.ts';
import { usePets } from '../pets/pet-api.ts';
import { useUser } from '../users/current-user.ts';
import { UnverifiedEmailNotice } from '../users/unverified-email-notice.tsx';
import { useCaricatureOptions, useCaricatures } from './caricature-api.ts';
import { CaricatureCard } from './caricature-card.tsx';
import { GenerateCard, GenerateCardSkeleton } from './generate-card.tsx';
import { generatorNames, isGeneratorShown } from './generator-names.ts';
import { findPetName, useCaricatureDialogs } from './use-caricature-dialogs.tsx';
import { usePickablePhotos } from './use-pickable-photos.ts';

/** The gallery's second tab: the caricatures of the chosen pet, or all. */
export function CaricaturesTab({ firstPhotoButton }: { firstPhotoButton: ReactNode }) {
  const [params, setParams] = useGallerySearchParams();
  const { data, isError } = usePets();
  const isPetFound = useResetMissingPet(params, data, () => setParams({ pet: '' }, { replace: true }));
  if (!isPetFound && !isError) return <LoadingScreen />;
  const pets = isError ? [] : data;
  return (
    <CaricatureGallery
      pets={data ?? []}
      filter={<PetFilter pets={pets} petId={params.pet} onPet={(pet) => setParams({ pet, photo: '' })} />}
      firstPhotoButton={firstPhotoButton}
    />
  );
}

const EAGER_COUNT = 8;
const PLACEHOLDERS = 4;
const grid = 'grid grid-cols-2 gap-x-5 gap-y-9 sm:grid-cols-3 sm:gap-x-7 lg:grid-cols-4';

interface CaricatureGalleryProps {
  pets: Pet[];
  filter: ReactNode;
  firstPhotoButton: ReactNode;
}

function CaricatureGallery({ pets, filter, firstPhotoButton }: CaricatureGalleryProps) {
  const headingId = useId();
  const [{ pet: petId, photo: photoId }, setParams] = useGallerySearchParams();
  const history = useHistoryState<{ isPhotoPreselected?: boolean } | null>();
  const list = useCaricatures(petId);
  const { data: options, ...optionsState } = useCaricatureOptions();
  const { data: user } = useUser();
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
        <div className="flex max-sm:w-full">{filter}</div>
      </div>
      {user && options?.service && (
        <UnverifiedEmailNotice
          user={user}
          consequence="Until then, new caricatures can’t be made."
          className="mb-8"
        />
      )}
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
                onChoose={({ id }) => setParams({ photo: id }, { replace: true })}
                petId={petId}
                pets={pets}
                options={options}
                isPhotoPreselected={history?.isPhotoPreselected ?? false}
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
                  action={photoIds.length === 0 && petId === '' ? firstPhotoButton : null}
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

interface NoCaricaturesProps {
  isEnabled: boolean;
  hasPhotos: boolean;
  action: ReactNode;
}

function NoCaricatures({ isEnabled, hasPhotos, action }: NoCaricaturesProps) {
  return (
    <div className="flex flex-col items-center gap-6 py-6 text-center sm:py-10">
      <TwoPrints />
      <div>
        <h3 className="text-lead font-medium">No Caricatures Yet</h3>
        <p className="mt-1 max-w-sm text-balance text-muted">
          {!isEnabled
            ? 'Caricatures are turned off.'
            : hasPhotos
              ? 'Pick a photo above and turn it into a cartoon.'
              : 'Every caricature starts with a photo of your pet.'}
        </p>
      </div>
      {isEnabled && action}
    </div>
  );
}

function TwoPrints() {
  return (
    <div aria-hidden className="flex">
      <div className="w-28 -rotate-4 rounded-print bg-print p-2 pb-6 shadow-print">
        <div className="aspect-square rounded-[2px] bg-well" />
      </div>
      <div className="mt-5 -ml-5 w-28 rotate-5 rounded-print bg-print p-2 pb-6 shadow-print">
        <div className="grid aspect-square place-items-center rounded-[2px] bg-[radial-gradient(circle,var(--edge)_22%,var(--well)_26%)] bg-size-[8px_8px]">
          <span className="grid size-12 place-items-center rounded-full bg-print">
            <WandSparkles className="size-6 text-accent" />
          </span>
        </div>
      </div>
    </div>
  );
}
