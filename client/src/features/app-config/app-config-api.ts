import { queryOptions, useQuery } from '@tanstack/react-query';
import { AppConfig, type Registration } from '#shared/api/app-config';
import { apiGet } from '../../lib/api/api-client.ts';

const appConfigQuery = queryOptions({
  queryKey: ['/api/config'],
  staleTime: Infinity,
  queryFn: ({ signal }) => apiGet('/api/config', AppConfig, signal),
});

/**
 * `isFirstLoad` ends with the first failure. Each component that mounts repeats a failed load, so a page that waited for
 * `isPending` would show its loading screen again, which unmounts them, and so on for ever.
 */
export function useAppConfig() {
  const { data, isPending, errorUpdateCount } = useQuery(appConfigQuery);
  return { data, isPending, isFirstLoad: isPending && errorUpdateCount === 0 };
}

/** Undefined while it loads. If it can't be loaded, the forms are shown: the server decides anyway. */
export function useRegistration(): Registration | undefined {
  const { data, isFirstLoad } = useAppConfig();
  return isFirstLoad ? undefined : (data?.registration ?? 'open');
}
