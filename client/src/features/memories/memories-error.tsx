import { ErrorNotice } from '../../ui/error-notice.tsx';

/** In place of the memories of a page or a dialog. */
export function MemoriesError(props: { onRetry: () => void; isRetrying?: boolean }) {
  return (
    <ErrorNotice {...props}>
      Your memories could not be loaded. They are safe; please check your connection and try again.
    </ErrorNotice>
  );
}
