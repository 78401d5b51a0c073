import { queryOptions, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import * as z from 'zod/mini';
import { Activity } from '#shared/accounts/activity';
import { apiGet } from '../../lib/api/api-client.ts';
import { classNames } from '../../lib/class-names.ts';
import { formatMoment } from '../../lib/dates.ts';
import { Button } from '../../ui/buttons/button.tsx';
import { LoadError } from '../../ui/error-notice.tsx';
import { ListSkeleton } from '../../ui/loading/skeleton.tsx';
import { activityText, groupActivity, isWarning, type RepeatedActivity } from './activity-text.ts';

const MAX_AT_FIRST = 8;

const activityQuery = queryOptions({
  queryKey: ['/api/user/activity'],
  queryFn: ({ signal }) => apiGet('/api/user/activity', z.array(Activity), signal),
});

/** Recent activity of the account, the latest first. */
export function ActivityList() {
  const { data, isPending, isFetching, refetch } = useQuery(activityQuery);
  const [showsAll, setShowsAll] = useState(false);
  if (!data) {
    return isPending ? (
      <ListSkeleton label="Loading your recent activity" />
    ) : (
      <LoadError what="Your recent activity" onRetry={refetch} isRetrying={isFetching} />
    );
  }
  if (data.length === 0)
    return <p className="text-muted">Nothing yet. Sign-ins and changes will appear here.</p>;
  const groups = groupActivity(data);
  const visible = showsAll ? groups : groups.slice(0, MAX_AT_FIRST);
  return (
    <>
      <ul className="-mt-3 divide-y divide-hairline">
        {visible.map((activity) => (
          <ActivityRow key={activity.id} activity={activity} />
        ))}
      </ul>
      {groups.length > visible.length && (
        <Button variant="secondary" className="mt-3 max-sm:w-full" onClick={() => setShowsAll(true)}>
          Show more
        </Button>
      )}
    </>
  );
}

function ActivityRow({ activity }: { activity: RepeatedActivity }) {
  const { device, network, createdAt, count } = activity;
  const where = [device, network].filter(Boolean).map((each) => `${each} · `);
  return (
    <li className="py-3">
      <p className={classNames(isWarning(activity) && 'text-danger')}>
        {activityText(activity)}
        {count > 1 && `, ${count} times`}
      </p>
      <p className="text-small wrap-anywhere text-muted">
        {where}
        <time dateTime={createdAt}>{formatMoment(createdAt)}</time>
      </p>
    </li>
  );
}
