import { useEffect, useState } from 'react';
import { SHARED_PARAM } from '#shared/page-paths';
import { useSearchParams } from '../../lib/use-search-params.ts';
import { Button } from '../../ui/button.tsx';
import {
  acceptReceived,
  deleteReceived,
  listReceived,
  type ReceivedPhoto,
} from '../share-target/received-photos.ts';
import { ShareProblem, shareResultSchema } from '../share-target/share-problem.tsx';
import { ReceivedThumbnails } from '../share-target/received-thumbnails.tsx';
import type { BulkUploader } from './queue/bulk-uploader.ts';
import { uploadReceived } from './received-uploads.ts';

interface SharedPhotosProps {
  ownerId: string;
  uploader: BulkUploader;
}

/** Photos from a share sheet: asks whose they become, and keeps their bytes until they are in the album. */
export function SharedPhotos({ ownerId, uploader }: SharedPhotosProps) {
  const [, setParams] = useSearchParams(shareResultSchema);
  const [undecided, setUndecided] = useState<ReceivedPhoto[]>([]);
  useEffect(() => {
    let isGone = false;
    const read = async () => {
      const received = await listReceived(ownerId);
      if (isGone) return;
      setUndecided(received.filter(({ isAccepted }) => !isAccepted));
      await uploadReceived(
        uploader,
        received.filter(({ isAccepted }) => isAccepted),
      );
    };
    read().catch(() => undefined);
    return () => {
      isGone = true;
    };
  }, [ownerId, uploader]);

  const decide = async (isAdded: boolean) => {
    const decided = undecided;
    setUndecided([]);
    setParams({ [SHARED_PARAM]: '' }, { replace: true });
    if (!isAdded) return deleteReceived(decided.map(({ id }) => id));
    const accepted = await acceptReceived(
      decided.map(({ id }) => id),
      ownerId,
    );
    await uploadReceived(uploader, accepted);
  };
  if (undecided.length === 0) return <ShareProblem />;
  const isOne = undecided.length === 1;
  return (
    <>
      <ShareProblem />
      <section aria-label="Shared photos" className="mb-10 space-y-4 border-l-2 border-sage py-1 pl-5">
        <p className="text-lead">
          {isOne ? '1 shared photo waits. Add it ' : `${undecided.length} shared photos wait. Add them `}
          to your album?
        </p>
        <ReceivedThumbnails photos={undecided} />
        <div className="flex flex-wrap gap-3">
          <Button onClick={() => void decide(true)}>
            {isOne ? 'Add 1 photo' : `Add ${undecided.length} photos`}
          </Button>
          <Button variant="quiet" onClick={() => void decide(false)}>
            Discard
          </Button>
        </div>
      </section>
    </>
  );
}
