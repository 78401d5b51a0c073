import {
  MutationCache,
  QueryCache,
  QueryClient,
  type InvalidateOptions,
  type InvalidateQueryFilters,
  type Query,
  type QueryKey,
} from '@tanstack/react-query';

export interface QueryMeta extends Record<string, unknown> {
  /** Replaces the default toast if this query fails because of a lost session. */
  lostSessionNotice?: { title: string; description: string };
}

declare module '@tanstack/react-query' {
  interface Register {
    queryMeta: QueryMeta;
  }
}

type OnError = (error: unknown, meta: QueryMeta | undefined) => void;

/** `networkMode`: offline, requests fail at once instead of waiting; a server on this machine still answers. */
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
 * Refetches a query that was invalidated while it was fetching. QueryClient accepts that older response for a first
 * fetch or without `cancelRefetch`. Cancelling each time would never let fast-changing data arrive.
 */
class UpToDateQueryClient extends QueryClient {
  readonly #willRefetch = new WeakSet<Query>();

  override async invalidateQueries<Key extends QueryKey = QueryKey>(
    filters?: InvalidateQueryFilters<Key>,
    options?: InvalidateOptions,
  ): Promise<void> {
    const fetching = this.getQueryCache().findAll({ ...filters, fetchStatus: 'fetching' });
    const notCancelled = fetching.filter(({ state }) => !state.data || options?.cancelRefetch === false);
    await Promise.all([
      super.invalidateQueries(filters, options),
      ...notCancelled.map((query) => this.#refetchAfterCurrent(query, options)),
    ]);
  }

  async #refetchAfterCurrent(query: Query, options?: InvalidateOptions): Promise<void> {
    if (this.#willRefetch.has(query)) return;
    this.#willRefetch.add(query);
    await query.promise?.catch(() => undefined);
    this.#willRefetch.delete(query);
    await super.invalidateQueries({ queryKey: query.queryKey, exact: true }, options);
  }
}
