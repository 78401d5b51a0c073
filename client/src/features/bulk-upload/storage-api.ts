import { useQuery } from '@tanstack/react-query';
import { StorageUsage } from '#shared/transfers/upload';
import { apiGet } from '../../lib/api/api-client.ts';

const STORAGE = '/api/user/storage';

/** What the album still takes; null while it is not known. */
export function useFreeBytes(): number | null {
  const { data } = useQuery({
    queryKey: [STORAGE],
    queryFn: ({ signal }) => apiGet(STORAGE, StorageUsage, signal),
    // Other photos may have come in since.
    staleTime: 0,
  });
  if (!data) return null;
  const { usedBytes, limitBytes, freeDiskBytes } = data;
  return Math.max(0, Math.min(limitBytes - usedBytes, freeDiskBytes ?? Infinity));
}
