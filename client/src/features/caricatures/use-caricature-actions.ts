import { useState } from 'react';
import { type Caricature, toCaricatureFileName } from '#shared/album/caricature';
import { showError, type ShowErrorOptions } from '../../ui/toasts/show-error.ts';
import { showSuccess, showToast } from '../../ui/toasts/toast-store.ts';
import { LINK_NOT_COPIED } from '../../ui/links/copy-link.ts';
import { PET_NOT_SAVED, PET_SAVED } from '../pets/pet-api.ts';
import {
  fetchCaricatureFile,
  useSaveCaricatureAsMemory,
  useSetProfilePicture,
  useShareCaricature,
} from './caricature-api.ts';
import { shareImage } from './share-image.ts';

type Action = 'save' | 'share' | 'save-as-memory' | 'set-profile-picture';
type ErrorToast = [title: string, text?: string, options?: ShowErrorOptions];

const NOT_DOWNLOADED: ErrorToast = [
  'Download Failed',
  'Could not download the caricature. Please try again.',
  { showsServerMessage: false },
];

/** The actions on a completed caricature, one at a time, with their toasts. */
export function useCaricatureActions() {
  const { mutateAsync: createLink } = useShareCaricature();
  const { mutateAsync: saveAsMemory } = useSaveCaricatureAsMemory();
  const { mutateAsync: setProfilePicture } = useSetProfilePicture();
  const [pending, setPending] = useState<Action | null>(null);
  const [savedIds, setSavedIds] = useState<string[]>([]);

  const run = (action: Action, errorToast: ErrorToast, work: () => Promise<void>) => {
    if (pending) return;
    setPending(action);
    void work()
      .catch((error: unknown) => showError(error, ...errorToast))
      .finally(() => setPending(null));
  };
  return {
    pending,
    isSavedAsMemory: ({ id }: Caricature) => savedIds.includes(id),
    save: ({ id }: Caricature, petName: string) =>
      run('save', NOT_DOWNLOADED, async () => {
        download(await fetchCaricatureFile(id), toCaricatureFileName(petName));
        showSuccess('Download Complete!');
      }),
    share: (caricature: Caricature, petName: string) =>
      run('share', ['Error', 'Failed to share the caricature'], () =>
        share(caricature, petName, () => createLink(caricature).then(({ url }) => url)),
      ),
    saveAsMemory: ({ id }: Caricature) =>
      run('save-as-memory', ['Error', 'Failed to add it to your memories'], async () => {
        await saveAsMemory(id);
        setSavedIds((ids) => [...ids, id]);
        showSuccess(
          'Added to your memories',
          'Your active contacts will get it by email, like any new photo.',
        );
      }),
    setProfilePicture: ({ id }: Caricature) =>
      run('set-profile-picture', [PET_NOT_SAVED], async () => {
        await setProfilePicture(id);
        showSuccess(PET_SAVED);
      }),
  };
}

export type CaricatureActions = ReturnType<typeof useCaricatureActions>;

async function share({ id }: Caricature, petName: string, createLink: () => Promise<string>): Promise<void> {
  let createdLink: Promise<string> | undefined;
  const image = {
    title: `A caricature of ${petName}`,
    fileName: toCaricatureFileName(petName),
    file: () => fetchCaricatureFile(id),
    link: () => (createdLink = createLink()),
  };
  try {
    if ((await shareImage(image)) !== 'copied') return;
    showSuccess('Link Copied!', 'Anyone with the link can see this caricature.');
  } catch (error) {
    const link = await createdLink?.catch(() => null);
    if (!link) throw error;
    showToast({
      title: LINK_NOT_COPIED,
      description: 'You can find it below the caricature and in your account.',
    });
  }
}

function download(file: Blob, name: string): void {
  const url = URL.createObjectURL(file);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // Delayed: some browsers read the URL after the click.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
