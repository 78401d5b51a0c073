import { ErrorNotice } from '../../../ui/error-notice.tsx';
import { Skeleton } from '../../../ui/loading/skeleton.tsx';
import type { useMemoryStats } from '../store/memory-lists.ts';

export function MemoryStats({ stats }: { stats: ReturnType<typeof useMemoryStats> }) {
  const { data, isError, isFetching, refetch } = stats;
  return (
    <section aria-labelledby="stats-heading">
      <h2 id="stats-heading" className="mb-8 text-title sm:text-center">
        Your Mems Stats
      </h2>
      {isError && !data ? (
        <ErrorNotice onRetry={() => void refetch()} isRetrying={isFetching}>
          Your stats could not be loaded.
        </ErrorNotice>
      ) : (
        <dl className="mx-auto grid max-w-3xl grid-cols-3 divide-x divide-hairline">
          <Figure name="Total Mems" value={data?.total} />
          <Figure name="This Month" value={data?.thisMonth} />
          <Figure name="Days Active" value={data?.daysActive} />
        </dl>
      )}
    </section>
  );
}

function Figure({ name, value }: { name: string; value: number | undefined }) {
  return (
    <div className="flex flex-col-reverse items-center gap-1 px-2 text-center">
      <dt className="text-small text-muted">{name}</dt>
      <dd className="font-display text-display font-medium tabular-nums">
        {value ?? <Skeleton className="h-[1.05em] w-[1em]" />}
      </dd>
    </div>
  );
}
