import type { ReactNode } from 'react';
import { useLocation } from 'wouter';
import { MAX_LOUD_BATCH } from '#shared/transfers/batch';
import { paths } from '../../lib/routing/paths.ts';
import { Button } from '../../ui/buttons/button.tsx';
import { CHECK_CONNECTION, showError } from '../../ui/toasts/show-error.ts';
import { showSuccess, showToast } from '../../ui/toasts/toast-store.ts';
import { useContacts } from '../contacts/contact-api.ts';
import { useRestoreMemories } from '../memories/store/memory-mutations.ts';
import { useFinishBatch } from './batch-api.ts';
import { ContactsChoice } from './contacts-choice.tsx';
import { FilesButton } from './file-input/files-button.tsx';
import type { BulkUploader, UploaderSnapshot, UploaderStatus } from './queue/bulk-uploader.ts';
import { isShared, nameOf, type ChosenFile } from './queue/queued-photo.ts';
import { MakeRoom } from './make-room.tsx';
import { toCsv } from './to-csv.ts';

const STATUS_TEXTS: Partial<Record<UploaderStatus, string>> = {
  paused: 'Paused.',
  offline: 'Waiting for the network. Nothing is lost.',
  waiting: 'The server is busy. Trying again...',
  'other-tab': 'Another tab of this browser is adding them.',
  'signed-out': 'Please sign in again, and they go on.',
};

interface UploadProgressProps {
  uploader: BulkUploader;
  snapshot: UploaderSnapshot;
  /** Its next step is the one main action of the page. */
  isMain: boolean;
  onChoose: (chosen: ChosenFile[]) => void;
}

export function UploadProgress({ uploader, snapshot, isMain, onChoose }: UploadProgressProps) {
  const { status, counts, total, missingFiles } = snapshot;
  const isSending = ['sending', 'waiting', 'offline'].includes(status);
  const isDone = counts.waiting === 0 && status === 'idle';
  const inAlbum = counts.added + counts['in-album'];
  const percent = Math.floor((100 * (total - counts.waiting)) / total);
  return (
    <section aria-label="Progress">
      <div className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1">
        <h2 className="text-title tabular-nums">
          {inAlbum.toLocaleString()} of {total.toLocaleString()} are in
        </h2>
        {isSending && (
          <Button variant="quiet" onClick={() => uploader.pause()}>
            Pause
          </Button>
        )}
        {status === 'paused' && counts.waiting > missingFiles && (
          <Button variant="secondary" onClick={() => uploader.start()}>
            Go on
          </Button>
        )}
      </div>
      <div
        role="progressbar"
        aria-label="Adding your photos"
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={percent}
        className="mt-4 h-1.5 overflow-hidden rounded-full bg-hairline"
      >
        <div className="h-full bg-accent transition-[width] duration-250" style={{ width: `${percent}%` }} />
      </div>
      <p role="status" className="mt-3 min-h-6 text-muted">
        {STATUS_TEXTS[status] ?? (isSending && tenths(percent))}
        {isDone && 'All done.'}
      </p>
      {missingFiles > 0 && (
        <Notice>
          <p>
            This browser does not keep your files. Choose the same folder or photos to go on: only the{' '}
            {missingFiles.toLocaleString()} that are missing will be sent.
          </p>
          <div className="flex flex-wrap gap-3">
            <FilesButton isMain={isMain} onChoose={onChoose}>
              Choose the same photos
            </FilesButton>
            <FilesButton isFolder onChoose={onChoose}>
              Choose the same folder
            </FilesButton>
          </div>
        </Notice>
      )}
      <Failures uploader={uploader} snapshot={snapshot} />
      <InTrash uploader={uploader} snapshot={snapshot} />
      {isDone && <Finish uploader={uploader} snapshot={snapshot} isMain={isMain} />}
    </section>
  );
}

/** For screen readers, which would read each number otherwise. */
function tenths(percent: number): string {
  const done = Math.floor(percent / 10) * 10;
  return done === 0 ? 'Adding your photos...' : `More than ${done} % are done.`;
}

function Notice({ children }: { children: ReactNode }) {
  return <div className="mt-5 space-y-3 border-l-2 border-sage py-1 pl-5">{children}</div>;
}

type PartProps = Pick<UploadProgressProps, 'uploader' | 'snapshot'>;

function Failures({ uploader, snapshot: { counts, photos } }: PartProps) {
  if (counts.failed === 0) return null;
  const failed = photos.filter(({ state }) => state === 'failed');
  const reasons = new Map<string, number>();
  for (const { reason } of failed) reasons.set(reason ?? '', (reasons.get(reason ?? '') ?? 0) + 1);
  const save = () => {
    const url = URL.createObjectURL(new Blob([toCsv(failed)], { type: 'text/csv' }));
    const link = document.createElement('a');
    link.href = url;
    link.download = 'not-added.csv';
    link.click();
    URL.revokeObjectURL(url);
  };
  return (
    <div className="mt-5 space-y-3 border-l-2 border-danger py-1 pl-5">
      <p className="font-semibold">
        {counts.failed === 1
          ? `${nameOf(failed[0]!)} was not added.`
          : `${counts.failed.toLocaleString()} files were not added.`}
      </p>
      <ul className="space-y-1 text-small">
        {[...reasons].map(([reason, count]) => (
          <li key={reason}>
            {reasons.size > 1 || count > 1 ? `${count.toLocaleString()}: ` : ''}
            {reason}
          </li>
        ))}
      </ul>
      {failed.some((photo) => photo.isAlbumFull && !isShared(photo)) && (
        <>
          <MakeRoom />
          <p className="text-muted">Choose these photos again once there is room.</p>
        </>
      )}
      <div className="flex flex-wrap gap-3">
        {failed.some(({ canRetry }) => canRetry) && (
          <Button variant="secondary" onClick={() => void uploader.retryFailed()}>
            Try all again
          </Button>
        )}
        <Button variant="secondary" onClick={save}>
          Save the list
        </Button>
      </div>
    </div>
  );
}

function InTrash({ uploader, snapshot: { counts, photos } }: PartProps) {
  const { mutateAsync: restore, isPending } = useRestoreMemories();
  const count = counts['in-trash'];
  if (count === 0) return null;
  const ids = new Set(
    photos.flatMap(({ state, memoryId }) => (state === 'in-trash' && memoryId ? memoryId : [])),
  );
  const bringBack = async () => {
    try {
      await restore([...ids].slice(0, 1000));
      await uploader.markRestored([...ids].slice(0, 1000));
      showSuccess('Back in your album');
    } catch (error) {
      showError(error, 'Not restored', CHECK_CONNECTION);
    }
  };
  return (
    <Notice>
      <p>
        {count === 1
          ? 'One of them is in Recently deleted.'
          : `${count.toLocaleString()} of them are in Recently deleted.`}
      </p>
      <Button
        variant="secondary"
        onClick={() => void bringBack()}
        isPending={isPending}
        pendingText="Bringing back..."
      >
        Bring {count === 1 ? 'it' : 'them'} back
      </Button>
    </Notice>
  );
}

/** Contacts get a small batch as usual; of a large one, what the person chooses. */
function Finish({
  uploader,
  snapshot: { counts, photos },
  isMain,
}: PartProps & Pick<UploadProgressProps, 'isMain'>) {
  const { data: contacts = [] } = useContacts();
  const { mutateAsync: finish, isPending } = useFinishBatch();
  const [, navigate] = useLocation();
  const hasContacts = contacts.some(({ isActive }) => isActive);
  const end = async (contactsMemoryIds: string[]) => {
    const id = await uploader.findBatch();
    try {
      if (id !== null) await finish({ id, contactsMemoryIds });
      await uploader.clear();
      if (counts.added > 0)
        showToast({
          title: counts.added === 1 ? '1 photo added' : `${counts.added.toLocaleString()} photos added`,
          variant: 'success',
          action: { name: 'Show them', onPress: () => navigate(paths.gallery) },
        });
    } catch (error) {
      showError(error, 'Not finished', CHECK_CONNECTION);
    }
  };
  const added = photos.filter(({ state }) => state === 'added');
  if (hasContacts && counts.added > MAX_LOUD_BATCH)
    return (
      <ContactsChoice
        photos={added}
        isMain={isMain}
        isPending={isPending}
        onFinish={(ids) => void end(ids)}
      />
    );
  return (
    <Button
      variant={isMain ? 'primary' : 'secondary'}
      className="mt-5 max-sm:w-full"
      onClick={() => void end([])}
      isPending={isPending}
      pendingText="Finishing..."
    >
      Finish
    </Button>
  );
}
