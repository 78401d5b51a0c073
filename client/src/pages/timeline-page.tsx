import type { User } from '#shared/user';
import { FullTimeline } from '../features/memories/timeline/full-timeline.tsx';
import { usePageTitle } from '../lib/use-page-title.ts';
import { useAddMemory } from '../features/memories/form/use-add-memory.tsx';

export function TimelinePage({ user }: { user: User }) {
  usePageTitle('Memory Timeline');
  const { firstPhotoButton, addDialogs } = useAddMemory(user.id);
  return (
    <div className="mx-auto max-w-6xl px-5 pt-8 pb-24 sm:px-8 sm:pt-14">
      <h1 tabIndex={-1} className="mb-6 text-display outline-none sm:mb-8">
        Memory Timeline
      </h1>
      <FullTimeline emptyAction={firstPhotoButton} />
      {addDialogs}
    </div>
  );
}
