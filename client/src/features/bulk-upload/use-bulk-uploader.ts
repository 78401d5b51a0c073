import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState, useSyncExternalStore } from 'react';
import { getBulkUploader, type BulkUploader, type UploaderSnapshot } from './queue/bulk-uploader.ts';

/** Null while it is opened; 'failed' where the browser stores nothing. */
export function useBulkUploader(ownerId: string): BulkUploader | 'failed' | null {
  const client = useQueryClient();
  const [uploader, setUploader] = useState<BulkUploader | 'failed' | null>(null);
  useEffect(() => {
    let isGone = false;
    getBulkUploader(ownerId, client).then(
      (opened) => {
        if (isGone) return;
        setUploader(opened);
        // What was chosen before this page was left.
        opened.start();
      },
      () => !isGone && setUploader('failed'),
    );
    return () => {
      isGone = true;
    };
  }, [ownerId, client]);
  return uploader;
}

export function useUploaderSnapshot(uploader: BulkUploader): UploaderSnapshot {
  return useSyncExternalStore(uploader.subscribe, uploader.getSnapshot);
}
