import { useState } from 'react';
import { type Caricature, caricatureFileName } from '#shared/caricature';
import { isLostSession } from '../../lib/lost-session.ts';
import { showFailure } from '../../ui/show-failure.ts';
import { showToast } from '../../ui/toast-store.ts';
import {
  fetchCaricatureFile,
  useSaveCaricatureAsMemory,
  useShareCaricature,
  useShowOnProfile,
} from './caricature-api.ts';
import { shareImage } from './share-image.ts';

type Action = 'save' | 'share' | 'save-as-memory' | 'show-on-profile';

/** What can be done with a finished caricature, one thing at a time, with its notices. */
export function useCaricatureActions() {
  const { mutateAsync: makeLink } = useShareCaricature();
  const { mutateAsync: saveAsMemory } = useSaveCaricatureAsMemory();
  const { mutateAsync: showOnProfile } = useShowOnProfile();
  const [pending, setPending] = useState<Action | null>(null);
  const [savedIds, setSavedIds] = useState<string[]>([]);

  const run = (action: Action, work: () => Promise<void>) => {
    if (pending) return;
    setPending(action);
    void work().finally(() => setPending(null));
  };

  return {
    pending,
    isSavedAsMemory: ({ id }: Caricature) => savedIds.includes(id),
    save: ({ id }: Caricature, petName: string) => run('save', () => saveCaricature(id, petName)),
    share: (caricature: Caricature, petName: string) =>
      run('share', async () => {
        let linking: Promise<string> | undefined;
        const link = () => (linking = makeLink(caricature).then(({ url }) => url));
        const picture = {
          title: `A caricature of ${petName}`,
          fileName: caricatureFileName(petName),
          file: () => fetchCaricatureFile(caricature.id),
          link,
        };
        try {
          if ((await shareImage(picture)) === 'copied') showCopied();
        } catch (error) {
          const isLinkMade = await linking?.then(
            () => true,
            () => false,
          );
          if (isLinkMade) showNotCopied();
          else showFailure(error, 'Error', 'Failed to share the caricature');
        }
      }),
    saveAsMemory: (caricature: Caricature) =>
      run('save-as-memory', async () => {
        try {
          await saveAsMemory(caricature.id);
        } catch (error) {
          showFailure(error, 'Error', 'Failed to add it to your memories');
          return;
        }
        setSavedIds((ids) => [...ids, caricature.id]);
        showToast({
          title: 'Added to your memories',
          description: 'Your active contacts will get it by email, like any new photo.',
          variant: 'success',
        });
      }),
    showOnProfile: ({ id }: Caricature) =>
      run('show-on-profile', async () => {
        try {
          await showOnProfile(id);
        } catch (error) {
          showFailure(error, 'Failed to update pet');
          return;
        }
        showToast({ title: 'Pet updated successfully!', variant: 'success' });
      }),
  };
}

export type CaricatureActions = ReturnType<typeof useCaricatureActions>;

function showCopied(): void {
  showToast({
    title: 'Link Copied!',
    description: 'Anyone with the link can see this caricature.',
    variant: 'success',
  });
}

function showNotCopied(): void {
  showToast({
    title: 'Link created, but it could not be copied',
    description: 'You can find it below the caricature and in your account.',
  });
}

/** Downloads the PNG. */
async function saveCaricature(id: string, petName: string): Promise<void> {
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
