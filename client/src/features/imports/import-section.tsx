import { useRef, type ReactNode } from 'react';
import { IMPORT_CHUNK_BYTES, type Import } from '#shared/transfers/import';
import { isTooLargeForProxy } from '../../lib/api/api-client.ts';
import { Button } from '../../ui/buttons/button.tsx';
import { LoadError } from '../../ui/error-notice.tsx';
import { ProgressBar } from '../../ui/loading/progress-bar.tsx';
import { ListSkeleton } from '../../ui/loading/skeleton.tsx';
import { SettingsSection } from '../../ui/settings-section.tsx';
import { showError, showFailure } from '../../ui/toasts/show-error.ts';
import { useDeleteImport, useImport, useUploadImport } from './import-api.ts';

const PROXY_LIMIT_TOO_LOW = `This server takes less than ${IMPORT_CHUNK_BYTES / 1024 ** 2} MB at a time. Its administrator can raise the limit.`;

/** Adds an exported album to this one. */
export function ImportSection() {
  const { data, isPending, isFetching, refetch } = useImport();
  return (
    <SettingsSection
      title="Import an album"
      note="Bring back what you exported, from here or from another server. Photos that you have already are not added twice."
    >
      {data !== undefined ? (
        <ImportState current={data} />
      ) : isPending ? (
        <ListSkeleton label="Loading your import" />
      ) : (
        <LoadError what="Your import" onRetry={refetch} isRetrying={isFetching} />
      )}
    </SettingsSection>
  );
}

function ImportState({ current }: { current: Import | null }) {
  const { upload, uploadedName, cancel } = useUpload();
  if (uploadedName !== null || current?.status === 'receiving')
    return (
      <Receiving
        received={current?.status === 'receiving' ? current : null}
        uploadedName={uploadedName}
        onUpload={upload}
        onCancel={cancel}
      />
    );
  switch (current?.status) {
    case 'working':
      return <Adding current={current} />;
    case 'completed':
      return (
        <>
          <Result current={current} />
          <FileButton onChoose={upload} variant={current.missing > 0 ? 'primary' : 'secondary'}>
            Import another zip
          </FileButton>
        </>
      );
    case 'failed':
      return (
        <div role="alert" className="flex flex-col items-start gap-4 border-l-2 border-danger py-1 pl-5">
          <div className="space-y-1">
            <p className="font-semibold wrap-anywhere">{current.fileName} was not imported.</p>
            <p className="wrap-anywhere">{current.message}</p>
          </div>
          <FileButton onChoose={upload} variant="secondary">
            Choose a zip
          </FileButton>
        </div>
      );
    case undefined:
      return (
        <>
          <p className="mb-5 text-muted">
            Choose the zip that you downloaded. If there are several parts, import one after the other, in any
            order. No emails are sent, and your contacts are switched off at first.
          </p>
          <FileButton onChoose={upload}>Choose a zip</FileButton>
        </>
      );
  }
}

function useUpload() {
  const { mutate, isPending, cancel, variables } = useUploadImport();
  const upload = (file: File) =>
    mutate(file, {
      onError: (error) => {
        if (error instanceof DOMException && error.name === 'AbortError') return;
        if (isTooLargeForProxy(error)) return showFailure('Not uploaded', PROXY_LIMIT_TOO_LOW);
        showError(error, 'Not uploaded', 'Please check your connection, then choose the file again.');
      },
    });
  /** Of the file that this page uploads now. */
  const uploadedName = isPending ? variables.name : null;
  return { upload, uploadedName, cancel };
}

interface ReceivingProps {
  received: Import | null;
  uploadedName: string | null;
  onUpload: (file: File) => void;
  onCancel: () => void;
}

function Receiving({ received, uploadedName, onUpload, onCancel }: ReceivingProps) {
  const { mutate: deleteImport, isPending: isDeleting } = useDeleteImport();
  const percent = received ? Math.floor((100 * received.receivedBytes) / received.byteSize) : 0;
  const discard = () => {
    onCancel();
    if (received) deleteImport(received.id);
  };
  const cancelButton = (
    <Button variant="secondary" className="max-sm:w-full" onClick={discard} isPending={isDeleting}>
      Cancel
    </Button>
  );
  if (uploadedName !== null)
    return (
      <>
        <ProgressBar label={`Uploading ${uploadedName}`} value={percent} note={`${percent} %`} />
        <p className="mt-3 mb-5 text-muted">Please keep this page open until it is uploaded.</p>
        {cancelButton}
      </>
    );
  return (
    <>
      <p role="status">
        <span className="font-semibold wrap-anywhere">{received?.fileName} is not uploaded completely.</span>{' '}
        Choose the same file, and it goes on from {percent} %.
      </p>
      <div className="mt-5 flex gap-3 max-sm:flex-col">
        <FileButton onChoose={onUpload}>Choose the file</FileButton>
        {cancelButton}
      </div>
    </>
  );
}

function Adding({ current: { total, done } }: { current: Import }) {
  return (
    <>
      {total === 0 ? (
        <ProgressBar label="Checking the photos" value={null} />
      ) : (
        <ProgressBar
          label="Adding your photos"
          value={Math.floor((100 * done) / total)}
          note={`${done.toLocaleString('en')} of ${total.toLocaleString('en')}`}
        />
      )}
      <p className="mt-3 text-muted">
        You can leave this page. The photos appear in your gallery one by one.
      </p>
    </>
  );
}

function Result({ current: { done, added, unreadable, missing } }: { current: Import }) {
  const present = done - added - unreadable;
  const facts = [
    added === 0 ? 'No new photos.' : `${count(added)} added.`,
    present > 0 && `${count(present)} ${present === 1 ? 'was' : 'were'} here already.`,
    unreadable > 0 &&
      `${count(unreadable)} could not be read and ${unreadable === 1 ? 'is' : 'are'} left out.`,
  ];
  return (
    <div className="mb-5 space-y-3">
      <p role="status">
        <span className="font-semibold">Your album is imported.</span> {facts.filter(Boolean).join(' ')}
      </p>
      {missing > 0 && (
        <p>
          {count(missing)} of this export {missing === 1 ? 'is' : 'are'} not in this zip. If it has other
          parts, please import those, too.
        </p>
      )}
      <p className="text-muted">New contacts are switched off until you switch them on.</p>
    </div>
  );
}

function count(photos: number): string {
  return `${photos.toLocaleString('en')} ${photos === 1 ? 'photo' : 'photos'}`;
}

function FileButton({
  onChoose,
  variant = 'primary',
  children,
}: {
  onChoose: (file: File) => void;
  variant?: 'primary' | 'secondary';
  children: ReactNode;
}) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <input
        ref={input}
        type="file"
        accept=".zip,application/zip"
        hidden
        onChange={({ currentTarget }) => {
          const [file] = currentTarget.files ?? [];
          // The same file can be chosen again.
          currentTarget.value = '';
          if (file) onChoose(file);
        }}
      />
      <Button variant={variant} className="max-sm:w-full" onClick={() => input.current?.click()}>
        {children}
      </Button>
    </>
  );
}
