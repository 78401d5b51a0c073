import {
  MutationCache,
  QueryCache,
  QueryClient,
  type InvalidateOptions,
  type InvalidateQueryFilters,
  type Query,
  type QueryKey,
} from '@tanstack/react-query';

/** What a query may say about itself, for the one place that handles errors. */
export interface QueryMeta extends Record<string, unknown> {
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
 * No retries and no refetch on focus; each query says how long it stays fresh. Offline a call fails at once and says so,
 * rather than waiting in silence; and a server on this very machine can be reached offline too.
 */
export function createQueryClient(onError: OnError): QueryClient {
  return new UpToDateQueryClient({
    queryCache: new QueryCache({ onError: (error, query) => onError(error, query.meta) }),
    mutationCache: new MutationCache({ onError: (error) => onError(error, undefined) }),
    defaultOptions: {
      queries: {
        retry: false,
        refetchOnWindowFocus: false,
        refetchOnReconnect: false,
        networkMode: 'always',
      },
      mutations: { retry: false, networkMode: 'always' },
    },
  });
}

/**
 * What is invalidated while it is fetched is fetched once more afterwards, since that response may be from before the
 * change. QueryClient would accept a first response, and any when `cancelRefetch` is off; when it is on,
 * data that changes faster than it is fetched would never arrive.
 */
class UpToDateQueryClient extends QueryClient {
  readonly #awaited = new WeakSet<Query>();

  override async invalidateQueries<Key extends QueryKey = QueryKey>(
    filters?: InvalidateQueryFilters<Key>,
    options?: InvalidateOptions,
  ): Promise<void> {
    const underway = this.getQueryCache().findAll({ ...filters, fetchStatus: 'fetching' });
    const kept = underway.filter(({ state }) => !state.data || options?.cancelRefetch === false);
    await Promise.all([
      super.invalidateQueries(filters, options),
      ...kept.map((query) => this.#refetchAfterCurrent(query, options)),
    ]);
  }

  async #refetchAfterCurrent(query: Query, options?: InvalidateOptions): Promise<void> {
    if (this.#awaited.has(query)) return;
    this.#awaited.add(query);
    await query.promise?.catch(() => undefined);
    this.#awaited.delete(query);
    await super.invalidateQueries({ queryKey: query.queryKey, exact: true }, options);
  }
}
