import { caricatureFileName } from '#shared/caricature';
import { isLostSession } from '../../lib/lost-session.ts';
import { showToast } from '../../ui/toast-store.ts';
import { fetchCaricatureFile } from './caricature-api.ts';

/** Puts its PNG among the downloads. */
export async function saveCaricature(id: string, petName: string): Promise<void> {
  try {
    download(await fetchCaricatureFile(id), caricatureFileName(petName));
    showToast({ title: 'Download Complete!', variant: 'success' });
  } catch (error) {
    if (isLostSession(error)) return;
    showToast({
      title: 'Download Failed',
      description: 'Could not download the caricature. Please try again.',
      variant: 'destructive',
    });
  }
}

function download(file: Blob, name: string): void {
  const url = URL.createObjectURL(file);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // Not at once: some browsers only begin to read it then.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
