import { lazy, Suspense } from 'react';
import { useLocation } from 'wouter';
import type { User } from '#shared/accounts/user';
import { CreateFlipbook } from '../../features/flipbook/picker/create-flipbook.tsx';
import { HeldMessages } from '../../features/inbound-email/held-messages.tsx';
import { useGallerySearchParams } from '../../features/memories/gallery/gallery-search-params.ts';
import { GRID_PAGE } from '../../features/memories/grid/grid-layout.ts';
import { useMemoryStats } from '../../features/memories/store/memory-lists.ts';
import { MemoryGallery } from '../../features/memories/gallery/memory-gallery.tsx';
import { classNames } from '../../lib/class-names.ts';
import { CAME_FROM_GALLERY, flipbookPath } from '../../lib/routing/paths.ts';
import { usePageTitle } from '../../lib/routing/use-page-title.ts';
import { BottomActionBar } from '../../ui/bottom-action-bar.tsx';
import { LoadingScreen } from '../../ui/loading/loading-screen.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { useAddMemory } from '../../features/memories/form/use-add-memory.tsx';

const CaricaturesTab = lazy(async () => ({
  default: (await import('../../features/caricatures/caricatures-tab.tsx')).CaricaturesTab,
}));

export function GalleryPage({ user }: { user: User }) {
  usePageTitle('Mems Gallery');
  const [, navigate] = useLocation();
  const [{ tab, pet }, setParams] = useGallerySearchParams();
  const { addButton, firstPhotoButton, addDialogs } = useAddMemory(user.id, pet);
  return (
    <div className={classNames(GRID_PAGE, 'group/gallery pt-8 pb-32 sm:pt-14 sm:pb-24')}>
      <header className="flex items-end justify-between gap-6">
        <h1 tabIndex={-1} className="text-display outline-none">
          Mems Gallery
        </h1>
        {/* The bar of the selected memories is at the same place. */}
        <div className="group-has-data-selecting/gallery:max-sm:hidden">
          <BottomActionBar>{addButton}</BottomActionBar>
        </div>
      </header>
      {/* Its height is reserved, so that nothing moves when the number of emails is known. */}
      <div className="flex h-11 items-center sm:mb-1">
        {user.inboundEmail ? <HeldMessages otherwise={<MemoryTotal />} /> : <MemoryTotal />}
      </div>
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
              <MemoryGallery
                userId={user.id}
                action={(filters, look) => (
                  <CreateFlipbook
                    look={look}
                    filters={filters}
                    onOpen={() => void import('./flipbook-page.tsx')}
                    onCreated={(bookId) => navigate(flipbookPath(bookId), { state: CAME_FROM_GALLERY })}
                  />
                )}
                emptyAction={firstPhotoButton}
              />
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
    </div>
  );
}

function MemoryTotal() {
  const { data } = useMemoryStats({});
  if (!data) return null;
  return (
    <p className="animate-fade-in text-small text-muted tabular-nums">
      {data.total.toLocaleString('en')} {data.total === 1 ? 'memory' : 'memories'}
    </p>
  );
}
