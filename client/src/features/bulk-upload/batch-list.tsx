import { BATCH_DAYS, type Batch } from '#shared/transfers/batch';
import { formatMoment } from '../../lib/dates.ts';
import { Button } from '../../ui/buttons/button.tsx';
import { useConfirm } from '../../ui/dialogs/use-confirm.tsx';
import { CHECK_CONNECTION, showError } from '../../ui/toasts/show-error.ts';
import { showToast } from '../../ui/toasts/toast-store.ts';
import { useBatches, useRestoreBatch, useTakeBackBatch } from './batch-api.ts';
import type { BulkUploader } from './queue/bulk-uploader.ts';

/** What was added together in the last days, and can be taken back as a whole. */
export function BatchListSection({ uploader, isSending }: { uploader: BulkUploader; isSending: boolean }) {
  const { data: batches = [] } = useBatches();
  const { mutateAsync: takeBack } = useTakeBackBatch();
  const { mutateAsync: restore } = useRestoreBatch();
  const confirm = useConfirm();
  const listed = batches.filter(({ count }) => count > 0);
  if (listed.length === 0) return null;

  const undo = async ({ id }: Batch) => {
    try {
      await restore(id);
      showToast({ title: 'Back in your album', variant: 'success', subject: id });
    } catch (error) {
      showError(error, 'Not restored', CHECK_CONNECTION);
    }
  };
  const ask = async (batch: Batch) => {
    const isTakenBack = await confirm({
      title: `Take back ${countPhotos(batch.count)}?`,
      description: 'They move to Recently deleted, and stay there for 30 days.',
      confirmText: 'Take back',
      pendingText: 'Taking back...',
      onConfirm: async () => {
        if ((await uploader.findBatch()) === batch.id) await uploader.clear();
        await takeBack(batch.id);
      },
      errorToast: ['Not taken back', CHECK_CONNECTION],
    });
    if (isTakenBack)
      showToast({
        title: `${countPhotos(batch.count)} taken back`,
        subject: batch.id,
        action: { name: 'Undo', onPress: () => void undo(batch) },
      });
  };
  return (
    <section aria-labelledby="batches" className="mt-14">
      <h2 id="batches" className="text-title">
        Added together
      </h2>
      <p className="mt-1 text-muted">A mistake? Each can be taken back as a whole for {BATCH_DAYS} days.</p>
      <ul className="mt-4 border-t border-hairline">
        {listed.map((batch) => (
          <li
            key={batch.id}
            className="flex min-h-16 flex-wrap items-center justify-between gap-x-4 border-b border-hairline py-2"
          >
            <span>
              <span className="font-semibold tabular-nums">{countPhotos(batch.count)}</span>{' '}
              <span className="text-muted">{formatMoment(batch.createdAt)}</span>
            </span>
            {batch.takenBackAt ? (
              <Button variant="quiet" onClick={() => void undo(batch)}>
                Bring back
              </Button>
            ) : (
              <Button variant="quiet" aria-disabled={isSending} onClick={() => void ask(batch)}>
                Take back
              </Button>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}

function countPhotos(count: number): string {
  return count === 1 ? '1 photo' : `${count.toLocaleString()} photos`;
}
