import { type ReactNode, useId } from 'react';
import { useHistoryState } from 'wouter/use-browser-location';
import type { Caricature } from '#shared/album/caricature';
import type { Pet } from '#shared/album/pet';
import { Badge } from '../../ui/badge.tsx';
import { ErrorNotice, LoadError } from '../../ui/error-notice.tsx';
import { LoadingScreen } from '../../ui/loading/loading-screen.tsx';
import { PetFilter } from '../memories/gallery/gallery-bar.tsx';
import { useGallerySearchParams, useResetMissingPet } from '../memories/gallery/gallery-search-params.ts';
import { usePets } from '../pets/pet-api.ts';
import { useUser } from '../users/current-user.ts';
import { UnverifiedEmailNotice } from '../users/unverified-email-notice.tsx';
import { useCaricatureOptions, useCaricatures } from './caricature-api.ts';
import { CaricatureGrid, CaricatureGridSkeleton, MoreCaricatures } from './caricature-grid.tsx';
import { GenerateCard, GenerateCardSkeleton } from './generate/generate-card.tsx';
import { generatorNames } from './generate/generator-names.ts';
import { usePickablePhotos } from './generate/use-pickable-photos.ts';
import { NoCaricatures } from './no-caricatures.tsx';
import { useCaricatureDialogs } from './use-caricature-dialogs.tsx';

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
      arePetsLoading={!pets}
      filter={<PetFilter pets={pets} petId={params.pet} onPet={(pet) => setParams({ pet, photo: '' })} />}
      firstPhotoButton={firstPhotoButton}
    />
  );
}

interface CaricatureGalleryProps {
  pets: Pet[];
  arePetsLoading: boolean;
  filter: ReactNode;
  firstPhotoButton: ReactNode;
}

function CaricatureGallery({ pets, arePetsLoading, filter, firstPhotoButton }: CaricatureGalleryProps) {
  const headingId = useId();
  const state = useCaricatureGallery();
  const { list, caricatures, options, hasFailed } = state;
  // The pets as well: on phones their filter has a line of its own, which would push the caricatures down.
  const isLoading = state.isLoading || arePetsLoading;
  const photoIds = state.photos.ids;
  const dialogs = useCaricatureDialogs(caricatures, pets);
  const { data: user } = useUser();
  return (
    <section aria-labelledby={headingId} aria-busy={isLoading && !hasFailed}>
      <div className="mb-5 flex flex-wrap items-center justify-between gap-x-6 gap-y-4">
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
          <h2 id={headingId} data-focus-fallback="" tabIndex={-1} className="text-title outline-none">
            Pet Caricatures
          </h2>
          {state.nextGenerator && <Badge>{generatorNames[state.nextGenerator]}</Badge>}
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
        {hasFailed ? '' : isLoading || !caricatures ? 'Loading...' : formatProgress(caricatures)}
      </p>
      {hasFailed ? (
        <LoadError what="Your caricatures" isSafe onRetry={state.retry} isRetrying={list.isFetching} />
      ) : isLoading || !caricatures ? (
        <>
          <GenerateCardSkeleton />
          <CaricatureGridSkeleton />
        </>
      ) : (
        <>
          <GenerateSection state={state} pets={pets} dialogs={dialogs} />
          <div className="mt-12">
            {caricatures.length > 0 ? (
              <CaricatureGrid
                caricatures={caricatures}
                pets={pets}
                nextGenerator={state.nextGenerator}
                {...dialogs}
              />
            ) : (
              options &&
              photoIds && (
                <NoCaricatures
                  isEnabled={options.enabled}
                  action={photoIds.length === 0 && state.petId === '' ? firstPhotoButton : null}
                  hasPhotos={photoIds.length > 0}
                />
              )
            )}
          </div>
          <MoreCaricatures {...list} />
        </>
      )}
      {dialogs.dialogs}
    </section>
  );
}

type GalleryState = ReturnType<typeof useCaricatureGallery>;

/** The caricatures and, apart from them, what a new one needs: existing ones are shown even if none can be started. */
function useCaricatureGallery() {
  const [{ pet: petId, photo: photoId }] = useGallerySearchParams();
  const list = useCaricatures(petId);
  const { data: options, ...optionsState } = useCaricatureOptions();
  const photos = usePickablePhotos(petId, photoId);
  const caricatures = list.isPlaceholderData ? undefined : list.data;
  const canNotStart = (!options && optionsState.isFetched) || (!photos.ids && photos.query.error !== null);
  const retryOptions = () => {
    photos.query.retry();
    void optionsState.refetch();
  };
  return {
    petId,
    list,
    caricatures,
    options,
    photos,
    nextGenerator: options?.enabled ? options.artist : undefined,
    hasFailed: list.isError && !list.data,
    isLoading: !caricatures || ((!options || !photos.ids) && !canNotStart),
    isRetryingOptions: optionsState.isFetching,
    retryOptions,
    retry: () => {
      retryOptions();
      void list.refetch();
    },
  };
}

interface GenerateSectionProps {
  state: GalleryState;
  pets: Pet[];
  dialogs: ReturnType<typeof useCaricatureDialogs>;
}

function GenerateSection({
  state: { photos, options, petId, ...state },
  pets,
  dialogs,
}: GenerateSectionProps) {
  const [, setParams] = useGallerySearchParams();
  const history = useHistoryState<{ isPhotoPreselected?: boolean } | null>();
  if (!options || !photos.ids) {
    return (
      <ErrorNotice onRetry={state.retryOptions} isRetrying={state.isRetryingOptions}>
        New caricatures can’t be started right now. Please check your connection and try again.
      </ErrorNotice>
    );
  }
  if (!options.enabled || photos.ids.length === 0) return null;
  return (
    <GenerateCard
      photoIds={photos.ids}
      count={photos.count}
      chosen={photos.chosen}
      onChoose={({ id }) => setParams({ photo: id }, { replace: true })}
      petId={petId}
      pets={pets}
      options={options}
      isPhotoPreselected={history?.isPhotoPreselected ?? false}
      isPending={dialogs.isStarting}
      isBlocked={dialogs.isBlocked}
      onStart={dialogs.start}
    />
  );
}

function formatProgress(caricatures: Caricature[]): string {
  const count = caricatures.filter(({ status }) => status === 'generating').length;
  if (count === 0) return '';
  return count === 1 ? 'One caricature is being created.' : `${count} caricatures are being created.`;
}
