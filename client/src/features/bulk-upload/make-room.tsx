import { Link } from 'wouter';
import { paths } from '../../lib/routing/paths.ts';

/** Of a full album. */
export function MakeRoom() {
  return (
    <p className="text-muted">
      Photos take room until they are deleted for good.{' '}
      <Link href={paths.recentlyDeleted} className="underline">
        Recently deleted
      </Link>{' '}
      has those that you deleted in the last 30 days.
    </p>
  );
}
