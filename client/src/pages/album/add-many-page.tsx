import type { User } from '#shared/accounts/user';
import { AddMany } from '../../features/bulk-upload/add-many.tsx';
import { GallerySubpage } from '../../features/memories/gallery/gallery-subpage.tsx';

export function AddManyPage({ user }: { user: User }) {
  return (
    <GallerySubpage
      title="Add many"
      text="All the photos that you have, on one evening. What is in your album already is not added twice. If you close this page, choose the same folder again, and it goes on where it was."
      className="max-w-3xl"
    >
      <AddMany key={user.id} ownerId={user.id} />
    </GallerySubpage>
  );
}
