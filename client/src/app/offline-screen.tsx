import { useEffect, useState } from 'react';
import { ReceivedThumbnails } from '../features/share-target/received-thumbnails.tsx';
import { ShareQuestions } from '../features/share-target/share-question.tsx';
import {
  acceptReceived,
  deleteReceived,
  findReceiver,
  listReceived,
  type ReceivedPhoto,
} from '../features/share-target/received-photos.ts';
import { ShareProblem, showStorageError } from '../features/share-target/share-problem.tsx';
import { usePageTitle } from '../lib/routing/use-page-title.ts';
import { Button } from '../ui/buttons/button.tsx';
import { MessagePage } from '../ui/message-page.tsx';
import { PublicHeader } from './public-header.tsx';

interface OfflineScreenProps {
  onRetry: () => void;
  isRetrying: boolean;
}

/** What the installed app can do without its server. */
export function OfflineScreen({ onRetry, isRetrying }: OfflineScreenProps) {
  const isOffline = !navigator.onLine;
  const title = isOffline ? 'You are offline' : "Mems Are Forever can't be reached";
  usePageTitle(title);
  return (
    <>
      <PublicHeader />
      <main id="main" tabIndex={-1}>
        <MessagePage title={title}>
          <p className="text-lead text-muted">
            Your memories are safe. They are here again as soon as{' '}
            {isOffline ? 'you are back online' : 'the server answers'}.
          </p>
          <p>
            Photos that you share to Mems Are Forever from your phone wait on this device, and come in then.
          </p>
          <ShareProblem />
          <WaitingPhotos />
          <Button variant="secondary" onClick={onRetry} isPending={isRetrying} pendingText="Trying again...">
            Try again
          </Button>
        </MessagePage>
      </main>
    </>
  );
}

/** Photos of the last signed-in account. Of those without an owner only the number is shown: anyone may hold the device. */
function WaitingPhotos() {
  const [receiver, setReceiver] = useState<string | null>(null);
  const [photos, setPhotos] = useState<ReceivedPhoto[]>([]);
  useEffect(() => {
    let isGone = false;
    const read = async () => {
      const account = await findReceiver();
      const listed = await listReceived(account);
      if (isGone) return;
      setReceiver(account);
      setPhotos(listed);
    };
    read().catch(() => undefined);
    return () => {
      isGone = true;
    };
  }, []);
  const accepted = photos.filter(({ isAccepted, isAlbumFull }) => isAccepted && !isAlbumFull);
  const undecided = photos.filter(({ isAccepted }) => !isAccepted);
  if (accepted.length + undecided.length === 0) return null;
  const add = async (share: ReceivedPhoto[], ownerId: string) => {
    await acceptReceived(
      share.map(({ id }) => id),
      ownerId,
    );
    setPhotos(await listReceived(ownerId));
  };
  const discard = async (share: ReceivedPhoto[]) => {
    await deleteReceived(share.map(({ id }) => id));
    setPhotos(await listReceived(receiver));
  };
  return (
    <section aria-label="Shared photos" className="w-full space-y-8 border-l-2 border-sage py-1 pl-5">
      {receiver === null ? (
        <p>{describe(photos.length)} here until you sign in, for a day.</p>
      ) : (
        <ShareQuestions
          photos={undecided}
          waiting="wait here"
          addText={() => 'Add when online'}
          onAdd={(share) => void add(share, receiver).catch(showStorageError)}
          onDiscard={(share) => void discard(share).catch(showStorageError)}
        />
      )}
      <div role="status" className="space-y-4">
        {receiver !== null && accepted.length > 0 && (
          <>
            <p>
              {describe(accepted.length)} here, and {accepted.length === 1 ? 'is' : 'are'} added when you are
              back online.
            </p>
            <ReceivedThumbnails photos={accepted} />
          </>
        )}
      </div>
    </section>
  );
}

function describe(count: number): string {
  return count === 1 ? '1 shared photo waits' : `${count} shared photos wait`;
}
