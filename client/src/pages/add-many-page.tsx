import { ArrowLeft } from 'lucide-react';
import { Link } from 'wouter';
import type { User } from '#shared/user';
import { AddMany } from '../features/bulk-upload/add-many.tsx';
import { paths } from '../lib/paths.ts';
import { usePageTitle } from '../lib/use-page-title.ts';

export function AddManyPage({ user }: { user: User }) {
  usePageTitle('Add many');
  return (
    <div className="mx-auto max-w-3xl px-5 pt-5 pb-24 sm:px-8 sm:pt-8">
      <Link
        href={paths.gallery}
        className="inline-flex min-h-11 items-center gap-2 text-muted hover:text-ink"
      >
        <ArrowLeft className="size-4" />
        Mems Gallery
      </Link>
      <h1 tabIndex={-1} className="text-display outline-none">
        Add many
      </h1>
      <p className="mt-3 mb-8 max-w-2xl text-muted sm:mb-10">
        All the photos that you have, on one evening. What is in your album already is not added twice. If you
        close this page, choose the same folder again, and it goes on where it was.
      </p>
      <AddMany key={user.id} ownerId={user.id} />
    </div>
  );
}
