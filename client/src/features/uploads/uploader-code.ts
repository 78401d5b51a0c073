import { queryOptions } from '@tanstack/react-query';

/** Uppy is large, and only needed here. A query, since one can be asked again when it could not be fetched. */
export const uploaderCode = queryOptions({
  queryKey: ['photo-uploader code'],
  staleTime: Infinity,
  queryFn: async () => {
    await Promise.all([...failedStyles].map(fetchAgain));
    window.addEventListener('error', noteFailedStyle, { capture: true });
    try {
      return (await import('./photo-uploader.tsx')).PhotoUploader;
    } finally {
      window.removeEventListener('error', noteFailedStyle, { capture: true });
    }
  },
});

/** Vite asks for a stylesheet once, whatever comes of it, and would show the uploader without its looks then. */
const failedStyles = new Set<HTMLLinkElement>();

function noteFailedStyle({ target }: Event): void {
  if (target instanceof HTMLLinkElement && target.rel === 'stylesheet') failedStyles.add(target);
}

function fetchAgain(failed: HTMLLinkElement): Promise<void> {
  const link = failed.cloneNode() as HTMLLinkElement;
  return new Promise((resolve, reject) => {
    link.onload = () => resolve();
    link.onerror = () => {
      failedStyles.add(link);
      reject(new Error(`${link.href} could not be fetched`));
    };
    failedStyles.delete(failed);
    failed.replaceWith(link);
  });
}
