import { Plus } from 'lucide-react';
import type { ComponentProps, ReactNode } from 'react';
import { Link } from 'wouter';
import type { User } from '#shared/accounts/user';
import { BackNotice } from '../../features/account-deletion/back-notice.tsx';
import { FirstSteps } from '../../features/first-steps/first-steps.tsx';
import { GRID_PAGE } from '../../features/memories/grid/grid-layout.ts';
import { useMemoryStats, useMemoryList } from '../../features/memories/store/memory-lists.ts';
import {
  MemoryCollection,
  MemoryCollectionSkeleton,
} from '../../features/memories/home/memory-collection.tsx';
import { FeaturedMemory, FeaturedMemorySkeleton } from '../../features/memories/home/featured-memory.tsx';
import { MemoryStats } from '../../features/memories/home/memory-stats.tsx';
import { MemoryTimeline, MemoryTimelineSkeleton } from '../../features/memories/home/memory-timeline.tsx';
import { UnverifiedEmailNotice } from '../../features/users/unverified-email-notice.tsx';
import { classNames } from '../../lib/class-names.ts';
import { paths } from '../../lib/routing/paths.ts';
import { usePageTitle } from '../../lib/routing/use-page-title.ts';
import { BottomActionBar } from '../../ui/bottom-action-bar.tsx';
import { Button, buttonClasses } from '../../ui/buttons/button.tsx';
import { useAddMemory } from '../../features/memories/form/use-add-memory.tsx';
import { LoadError } from '../../ui/error-notice.tsx';

const sessionExpired = {
  lostSessionNotice: { title: 'Session expired', description: 'Please log in again to continue.' },
};

export function HomePage({ user }: { user: User }) {
  usePageTitle();
  const [memories, topRef] = useMemoryList({}, { meta: sessionExpired });
  const stats = useMemoryStats({}, { meta: sessionExpired });
  const { startAdding, firstPhotoButton, addDialogs } = useAddMemory(user.id);
  const isEmpty = memories.ids?.length === 0;
  const firstSteps = memories.ids && (
    <FirstSteps userId={user.id} hasMemories={!isEmpty} onAddPhoto={startAdding} />
  );
  return (
    <>
      <BackNotice />
      <div className={classNames(GRID_PAGE, 'space-y-20 pt-8 pb-32 sm:pb-24')}>
        <div className="space-y-8 sm:space-y-10">
          <Hero onAdd={startAdding} />
          {user.verifyEmailBy && <UnverifiedEmailNotice user={user} isCompact />}
          {isEmpty ? (
            firstSteps
          ) : memories.ids ? (
            <FeaturedMemory />
          ) : (
            memories.error === null && <FeaturedMemorySkeleton />
          )}
        </div>
        <Memories
          memories={memories}
          topRef={topRef}
          total={stats.data?.total}
          emptyAction={firstPhotoButton}
        />
        {!isEmpty && firstSteps}
        {/* Rendered once the list is there; otherwise loading memories would push the stats down. */}
        {(memories.ids || memories.error !== null) && <MemoryStats stats={stats} />}
        {addDialogs}
      </div>
    </>
  );
}

function Hero({ onAdd }: { onAdd: () => void }) {
  return (
    <header className="flex flex-col gap-6 sm:flex-row sm:items-end sm:justify-between">
      <div className="max-w-2xl">
        <h1 className="text-display">Mems Are Forever</h1>
        <p className="mt-3 text-body text-balance text-muted sm:text-lead">
          The naps, the muddy paws, the looks. Keep each one here, for as long as you like.
        </p>
      </div>
      <BottomActionBar>
        <div className="flex items-center gap-2 sm:gap-4">
          <Link href={paths.addMany} className={buttonClasses({ variant: 'quiet', className: 'sm:px-2' })}>
            Add many
          </Link>
          <Button onClick={onAdd} data-focus-fallback="" className="grow shadow-print">
            <Plus />
            Add Mems
          </Button>
        </div>
      </BottomActionBar>
    </header>
  );
}

type MemoriesProps = ComponentProps<typeof MemoryCollection> & { emptyAction: ReactNode };

function Memories({ memories, topRef, total, emptyAction }: MemoriesProps) {
  const { ids, error, retry } = memories;
  if (!ids && error === null) {
    return (
      <>
        <p role="status" className="sr-only">
          Loading...
        </p>
        <MemoryCollectionSkeleton />
        <MemoryTimelineSkeleton />
      </>
    );
  }
  if (!ids) {
    return <LoadError what="Your memories" isSafe onRetry={retry} />;
  }
  return (
    <>
      {ids.length > 0 && <MemoryCollection memories={memories} topRef={topRef} total={total} />}
      <MemoryTimeline ids={ids} emptyAction={emptyAction} />
    </>
  );
}
