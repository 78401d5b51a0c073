import {
  MutationCache,
  QueryCache,
  QueryClient,
  type InvalidateOptions,
  type InvalidateQueryFilters,
  type QueryKey,
} from '@tanstack/react-query';

/** What a query may say about itself, for the one place that handles errors. */
interface QueryMeta extends Record<string, unknown> {
  /** Shown in place of the usual notice when this query finds the session gone. */
  lostSessionNotice?: { title: string; description: string };
}

declare module '@tanstack/react-query' {
  interface Register {
    queryMeta: QueryMeta;
  }
}

type OnError = (error: unknown, meta: QueryMeta | undefined) => void;

/**
 * The product's data-loading habits: no retries, never stale, no refetch on focus. Offline a call fails at once and
 * says so, rather than waiting in silence; and a server on this very machine can be reached offline too.
 */
export function createQueryClient(onError: OnError): QueryClient {
  return new UpToDateQueryClient({
    queryCache: new QueryCache({ onError: (error, query) => onError(error, query.meta) }),
    mutationCache: new MutationCache({ onError: (error) => onError(error, undefined) }),
    defaultOptions: {
      queries: {
        retry: false,
        staleTime: Infinity,
        refetchOnWindowFocus: false,
        refetchOnReconnect: false,
        networkMode: 'always',
      },
      mutations: { retry: false, networkMode: 'always' },
    },
  });
}

/**
 * Invalidating asks anew even while a query is on its way for the first time: that answer may be from before the
 * change. QueryClient itself makes do with it, and would then never ask again.
 */
class UpToDateQueryClient extends QueryClient {
  override invalidateQueries<Key extends QueryKey = QueryKey>(
    filters?: InvalidateQueryFilters<Key>,
    options?: InvalidateOptions,
  ): Promise<void> {
    const underway = this.getQueryCache().findAll({ ...filters, type: 'active', fetchStatus: 'fetching' });
    for (const query of underway)
      // Silently: whoever waits for it gets what the new call brings.
      if (query.state.data === undefined) void query.cancel({ silent: true });
    return super.invalidateQueries(filters, options);
  }
}
