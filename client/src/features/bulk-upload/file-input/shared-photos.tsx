import { useEffect, useState } from 'react';
import { SHARED_PARAM } from '#shared/api/page-paths';
import { useSearchParams } from '../../../lib/routing/use-search-params.ts';
import { Button } from '../../../ui/buttons/button.tsx';
import {
  acceptReceived,
  deleteReceived,
  listReceived,
  type ReceivedPhoto,
} from '../../share-target/received-photos.ts';
import { ShareProblem, shareResultSchema, showStorageError } from '../../share-target/share-problem.tsx';
import { ShareQuestions } from '../../share-target/share-question.tsx';
import { ReceivedThumbnails } from '../../share-target/received-thumbnails.tsx';
import { MakeRoom } from '../make-room.tsx';
import type { BulkUploader } from '../queue/bulk-uploader.ts';
import { findAlbumFull, uploadReceived } from './received-uploads.ts';

export interface SharedPhotosState {
  /** Their owner has not answered yet. */
  undecided: ReceivedPhoto[];
  /** By a full album. */
  rejected: ReceivedPhoto[];
  add: (photos: ReceivedPhoto[]) => Promise<void>;
  discard: (photos: ReceivedPhoto[]) => Promise<void>;
}

/** Photos from a share sheet. Sends those that were accepted, unless the album had no room for them. */
export function useSharedPhotos(ownerId: string, uploader: BulkUploader): SharedPhotosState {
  const [, setParams] = useSearchParams(shareResultSchema);
  const [received, setReceived] = useState<ReceivedPhoto[]>([]);
  useEffect(() => {
    if (!('serviceWorker' in navigator)) return undefined;
    let isGone = false;
    const read = async () => {
      const listed = await listReceived(ownerId);
      if (isGone) return;
      setReceived(listed);
      await uploadReceived(
        uploader,
        listed.filter(({ isAccepted, isAlbumFull }) => isAccepted && !isAlbumFull),
      );
    };
    read().catch(() => undefined);
    const unsubscribe = uploader.subscribe(() => {
      const full = new Set(findAlbumFull(uploader.getSnapshot().photos));
      setReceived((all) => markAlbumFull(all, full));
    });
    return () => {
      isGone = true;
      unsubscribe();
    };
  }, [ownerId, uploader]);

  const forget = (photos: ReceivedPhoto[]) => {
    const ids = photos.map(({ id }) => id);
    setReceived((all) => all.filter(({ id }) => !ids.includes(id)));
    setParams({ [SHARED_PARAM]: '' }, { replace: true });
    return ids;
  };
  /** The browser's storage did not change: they are still there. */
  const putBack = (photos: ReceivedPhoto[], error: unknown) => {
    setReceived((all) => [...all, ...photos].sort((a, b) => a.id - b.id));
    showStorageError(error);
  };
  return {
    undecided: received.filter(({ isAccepted }) => !isAccepted),
    rejected: received.filter(({ isAccepted, isAlbumFull }) => isAccepted && isAlbumFull),
    async add(photos) {
      try {
        const accepted = await acceptReceived(forget(photos), ownerId);
        await uploadReceived(uploader, accepted);
        setReceived((all) => [...all, ...accepted]);
      } catch (error) {
        putBack(photos, error);
      }
    },
    async discard(photos) {
      try {
        await deleteReceived(forget(photos));
      } catch (error) {
        putBack(photos, error);
      }
    },
  };
}

/** The same array if nothing changes. */
function markAlbumFull(photos: ReceivedPhoto[], full: ReadonlySet<number>): ReceivedPhoto[] {
  const isNew = ({ id, isAlbumFull }: ReceivedPhoto) => !isAlbumFull && full.has(id);
  if (!photos.some(isNew)) return photos;
  return photos.map((photo) => (isNew(photo) ? { ...photo, isAlbumFull: true } : photo));
}

export function SharedPhotos({ shared }: { shared: SharedPhotosState }) {
  const { undecided, rejected, add, discard } = shared;
  if (undecided.length === 0 && rejected.length === 0) return <ShareProblem />;
  return (
    <>
      <ShareProblem />
      <section aria-label="Shared photos" className="mb-10 space-y-8 border-l-2 border-sage py-1 pl-5">
        <ShareQuestions
          photos={undecided}
          waiting="wait"
          addText={(count) => (count === 1 ? 'Add 1 photo' : `Add ${count} photos`)}
          onAdd={(share) => void add(share)}
          onDiscard={(share) => void discard(share)}
        />
        {rejected.length > 0 && (
          <Rejected
            photos={rejected}
            onRetry={() => void add(rejected)}
            onDiscard={() => void discard(rejected)}
          />
        )}
      </section>
    </>
  );
}

interface RejectedProps {
  photos: ReceivedPhoto[];
  onRetry: () => void;
  onDiscard: () => void;
}

function Rejected({ photos, onRetry, onDiscard }: RejectedProps) {
  const text =
    photos.length === 1
      ? '1 shared photo was not added, since your album is full.'
      : `${photos.length} shared photos were not added, since your album is full.`;
  return (
    <div role="group" aria-label={text} className="space-y-4">
      <p className="text-lead">{text}</p>
      <MakeRoom />
      <ReceivedThumbnails photos={photos} />
      <div className="flex flex-wrap gap-3">
        <Button variant="secondary" onClick={onRetry}>
          Try again
        </Button>
        <Button variant="quiet" onClick={onDiscard}>
          Discard
        </Button>
      </div>
    </div>
  );
}
