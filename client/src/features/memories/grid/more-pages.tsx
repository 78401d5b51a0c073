import { FailureNotice } from '../../../ui/failure-notice.tsx';
import { Spinner } from '../../../ui/spinner.tsx';
import type { LoadedList } from '../store/memory-lists.ts';

/** Stands at the end of a list that goes on. */
export function MorePages({ isComplete, error, retry }: LoadedList) {
  if (error !== null) {
    return (
      <div className="pb-10 [overflow-anchor:none]">
        <FailureNotice onRetry={retry}>The rest of your memories could not be loaded.</FailureNotice>
      </div>
    );
  }
  if (isComplete) return null;
  return (
    // The browser must not anchor its scrolling on it: it would follow the end of the list that grows above it.
    <div role="status" className="flex justify-center gap-3 pb-10 text-muted [overflow-anchor:none]">
      <Spinner />
      Loading more...
    </div>
  );
}
