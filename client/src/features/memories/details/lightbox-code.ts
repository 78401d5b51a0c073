import { queryOptions } from '@tanstack/react-query';

/** PhotoSwipe is only needed here. A query, since one can be asked again when it could not be fetched. */
export const lightboxCode = queryOptions({
  queryKey: ['lightbox code'],
  staleTime: Infinity,
  queryFn: () => import('./lightbox.tsx'),
});
