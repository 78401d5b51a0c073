import { queryOptions, useQuery } from '@tanstack/react-query';
import { AppConfig } from '#shared/app-config';
import { apiGet } from '../../lib/api-client.ts';

const appConfigQuery = queryOptions({
  queryKey: ['/api/config'],
  staleTime: Infinity,
  queryFn: ({ signal }) => apiGet('/api/config', AppConfig, signal),
});

export function useAppConfig() {
  return useQuery(appConfigQuery);
}
