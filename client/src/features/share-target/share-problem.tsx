import * as z from 'zod/mini';
import { SHARED_PARAM, type ShareResult } from '#shared/api/page-paths';
import { useSearchParams } from '../../lib/routing/use-search-params.ts';
import { showError } from '../../ui/toasts/show-error.ts';

export const shareResultSchema = z.object({ [SHARED_PARAM]: z.catch(z.string(), '') });

const PROBLEMS: Partial<Record<ShareResult, string>> = {
  failed: 'The photos that you shared could not be stored on this device. Please share fewer at once.',
  'too-many': 'Up to 100 photos can be shared at once. For more, choose them here.',
  'too-many-wait':
    'The photos that you shared were not stored, since many shared photos wait already. Please add or discard those first.',
  'other-site': 'Another website tried to share photos here. They were not stored.',
  'no-worker': 'The photos that you shared did not arrive. Please share them again, or choose them here.',
};

/** Why the share that led to this page failed. Nothing if it did not. */
export function ShareProblem() {
  const [{ shared }] = useSearchParams(shareResultSchema);
  const problem = PROBLEMS[shared as ShareResult];
  if (problem === undefined) return null;
  return (
    <p role="alert" className="mb-8 border-l-2 border-danger py-1 pl-5">
      {problem}
    </p>
  );
}

/** The browser refused to accept or discard shared photos, e.g. since its disk is full. They are still there. */
export function showStorageError(error: unknown): void {
  showError(error, 'Not saved', 'Your shared photos are still here. Please try again.');
}
