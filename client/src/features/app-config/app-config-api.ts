import { queryOptions, useQuery } from '@tanstack/react-query';
import { AppConfig, type Registration } from '#shared/app-config';
import { apiGet } from '../../lib/api-client.ts';

const appConfigQuery = queryOptions({
  queryKey: ['/api/config'],
  staleTime: Infinity,
  queryFn: ({ signal }) => apiGet('/api/config', AppConfig, signal),
});

export function useAppConfig() {
  return useQuery(appConfigQuery);
}

/** Undefined while it loads. If it can't be loaded, the forms are shown: the server decides anyway. */
export function useRegistration(): Registration | undefined {
  const { data, isError } = useAppConfig();
  return isError ? 'open' : data?.registration;
}
