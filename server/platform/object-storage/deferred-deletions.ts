import type { ObjectStorage } from './object-storage.ts';

/**
 * While a backup runs, `delete` enqueues a job instead. `deleteUpload` does not wait: a backup may lack pending uploads.
 */
export function deferDeletions(
  storage: ObjectStorage,
  { mustWait, defer }: { mustWait: () => Promise<boolean>; defer: (key: string) => Promise<void> },
): ObjectStorage {
  return { ...storage, delete: async (key) => ((await mustWait()) ? defer(key) : storage.delete(key)) };
}
