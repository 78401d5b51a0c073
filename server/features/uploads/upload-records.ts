import type { AppContext } from '../../platform/context.ts';
import { isSessionValid } from '../accounts/sessions/session-queries.ts';
import { markUploadUnused, markUploadUsed } from './upload-queries.ts';
import type { UploadRow } from '../storage/open-upload-queries.ts';

/** What is known of the uploads whose bytes arrive. */
export type UploadRecords = {
  /** @returns the upload's status; null if it is missing */
  markUsed(uploadId: string): Promise<UploadRow['status'] | null>;
  markUnused(uploadId: string): Promise<void>;
  isSessionValid(sessionId: string): Promise<boolean>;
};

export function uploadRecords({ db, clock }: Pick<AppContext, 'db' | 'clock'>): UploadRecords {
  return {
    markUsed: (uploadId) => markUploadUsed(db, uploadId, clock.now()),
    markUnused: (uploadId) => markUploadUnused(db, uploadId),
    isSessionValid: (sessionId) => isSessionValid(db, sessionId),
  };
}
