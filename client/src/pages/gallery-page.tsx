import { lazy, Suspense } from 'react';
import { useLocation } from 'wouter';
import type { User } from '#shared/user';
import { DropOverlay } from '../features/bulk-upload/drop-overlay.tsx';
import { useDropToAddMany } from '../features/bulk-upload/use-drop-to-add-many.ts';
import { CreateFlipbook } from '../features/flipbook/picker/create-flipbook.tsx';
import { HeldMessages } from '../features/inbound-email/held-messages.tsx';
import { useGallerySearchParams } from '../features/memories/gallery/gallery-search-params.ts';
import { GRID_PAGE } from '../features/memories/grid/grid-layout.ts';
import { MemoryGallery } from '../features/memories/gallery/memory-gallery.tsx';
import { classNames } from '../lib/class-names.ts';
import { CAME_FROM_GALLERY, flipbookPath } from '../lib/paths.ts';
import { usePageTitle } from '../lib/use-page-title.ts';
import { LoadingScreen } from '../ui/loading-screen.tsx';
import { Tabs } from '../ui/tabs.tsx';
import { useAddMemory } from '../features/memories/form/use-add-memory.tsx';

const CaricaturesTab = lazy(async () => ({
  default: (await import('../features/caricatures/caricatures-tab.tsx')).CaricaturesTab,
}));

export function GalleryPage({ user }: { user: User }) {
  usePageTitle('Mems Gallery');
  const { firstPhotoButton, addDialogs } = useAddMemory(user.id);
  const [, navigate] = useLocation();
  useDropToAddMany();
  const [{ tab }, setParams] = useGallerySearchParams();
  return (
    <div className={classNames(GRID_PAGE, 'pt-8 pb-24 sm:pt-14')}>
      <h1 tabIndex={-1} className="mb-3 text-display outline-none sm:mb-4">
        Mems Gallery
      </h1>
      <Tabs
        label="What is shown"
        tab={tab}
        onChoose={(tab) => setParams({ tab, photo: '' })}
        className="sm:*:flex-none sm:*:px-6"
        tabs={[
          {
            name: 'memories',
            title: 'Memories',
            content: (
              <>
                {user.inboundEmail && <HeldMessages />}
                <MemoryGallery
                  userId={user.id}
                  action={(filters) => (
                    <CreateFlipbook
                      filters={filters}
                      onOpen={() => void import('./flipbook-page.tsx')}
                      onCreated={(bookId) => navigate(flipbookPath(bookId), { state: CAME_FROM_GALLERY })}
                    />
                  )}
                  emptyAction={firstPhotoButton}
                />
              </>
            ),
          },
          {
            name: 'caricatures',
            title: 'Caricatures',
            content: (
              <Suspense fallback={<LoadingScreen />}>
                <CaricaturesTab firstPhotoButton={firstPhotoButton} />
              </Suspense>
            ),
          },
        ]}
      />
      {addDialogs}
      <DropOverlay />
    </div>
  );
}
