import { queryOptions, useQuery } from '@tanstack/react-query';
import { AppConfig, type Registration } from '#shared/app-config';
import { apiGet } from '../../lib/api-client.ts';

const appConfigQuery = queryOptions({
  queryKey: ['/api/config'],
  staleTime: Infinity,
  queryFn: ({ signal }) => apiGet('/api/config', AppConfig, signal),
});

/**
 * Not pending while a failed load is repeated, which each component does that mounts: a page that waited again would
 * unmount them and load for ever.
 */
export function useAppConfig(): { data: AppConfig | undefined; isPending: boolean } {
  const { data, errorUpdateCount } = useQuery(appConfigQuery);
  return { data, isPending: !data && errorUpdateCount === 0 };
}

/** Undefined while it loads. If it can't be loaded, the forms are shown: the server decides anyway. */
export function useRegistration(): Registration | undefined {
  const { data, isPending } = useAppConfig();
  return isPending ? undefined : (data?.registration ?? 'open');
}
