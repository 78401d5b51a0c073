import { useRef } from 'react';
import type { User } from '#shared/user';
import { EmptyGallery } from '../features/memories/gallery/empty-gallery.tsx';
import { MemoryGallery } from '../features/memories/gallery/memory-gallery.tsx';
import { usePageTitle } from '../lib/use-page-title.ts';
import { useAddMemory } from './use-add-memory.tsx';

export function GalleryPage({ user }: { user: User }) {
  usePageTitle('Mems Gallery');
  const heading = useRef<HTMLHeadingElement>(null);
  const { firstPhotoButton, addDialogs } = useAddMemory(user.id, heading);
  return (
    <div className="mx-auto max-w-6xl px-5 pt-8 pb-24 sm:px-8 sm:pt-14">
      <h1 ref={heading} tabIndex={-1} className="mb-3 text-display outline-none sm:mb-4">
        Mems Gallery
      </h1>
      <MemoryGallery
        empty={
          <EmptyGallery
            title="No memories yet"
            text="Upload your first memory to get started!"
            action={firstPhotoButton}
          />
        }
      />
      {addDialogs}
    </div>
  );
}
