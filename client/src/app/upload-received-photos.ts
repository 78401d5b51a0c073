import type { QueryClient } from '@tanstack/react-query';
import { navigate } from 'wouter/use-browser-location';
import type { User } from '#shared/accounts/user';
import { listReceived } from '../features/share-target/received-photos.ts';
import { paths } from '../lib/routing/paths.ts';
import { showToast } from '../ui/toasts/toast-store.ts';

/** Of what the person accepted while offline, the upload begins on any page. */
export async function uploadReceivedPhotos(client: QueryClient, { id }: User): Promise<void> {
  // The page for many photos does all this itself.
  if (window.location.pathname === paths.addMany) return;
  const received = await listReceived(id);
  const accepted = received.filter(({ isAccepted, isAlbumFull }) => isAccepted && !isAlbumFull);
  if (accepted.length > 0) {
    const [{ getBulkUploader }, { uploadReceived }] = await Promise.all([
      import('../features/bulk-upload/queue/bulk-uploader.ts'),
      import('../features/bulk-upload/file-input/received-uploads.ts'),
    ]);
    await uploadReceived(await getBulkUploader(id, client), accepted);
  }
  announceReceived({ accepted: accepted.length, undecided: received.length - accepted.length });
}

function announceReceived({ accepted, undecided }: { accepted: number; undecided: number }): void {
  const count = undecided || accepted;
  if (count === 0) return;
  const isOne = count === 1;
  const photos = isOne ? 'A shared photo' : `${count} shared photos`;
  const isWaiting = undecided > 0;
  showToast({
    title: `${photos} ${isWaiting ? (isOne ? 'waits' : 'wait') : isOne ? 'is being added' : 'are being added'}`,
    subject: 'received-photos',
    action: { name: isOne ? 'Show it' : 'Show them', onPress: () => navigate(paths.addMany) },
  });
}
