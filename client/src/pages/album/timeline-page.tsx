import type { User } from '#shared/accounts/user';
import { FullTimeline } from '../../features/memories/timeline/full-timeline.tsx';
import { usePageTitle } from '../../lib/routing/use-page-title.ts';
import { BottomActionBar } from '../../ui/bottom-action-bar.tsx';
import { useAddMemory } from '../../features/memories/form/use-add-memory.tsx';

export function TimelinePage({ user }: { user: User }) {
  usePageTitle('Memory Timeline');
  const { addButton, firstPhotoButton, addDialogs } = useAddMemory(user.id);
  return (
    <div className="mx-auto max-w-6xl px-5 pt-8 pb-32 sm:px-8 sm:pt-14 sm:pb-24">
      <header className="mb-6 flex items-end justify-between gap-6 sm:mb-8">
        <h1 tabIndex={-1} className="text-display outline-none">
          Memory Timeline
        </h1>
        <BottomActionBar>{addButton}</BottomActionBar>
      </header>
      <FullTimeline emptyAction={firstPhotoButton} />
      {addDialogs}
    </div>
  );
}
