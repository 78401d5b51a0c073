import { FolderOpen, ImagePlus } from 'lucide-react';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useState } from 'react';
import { useOnTrue } from '../../lib/use-on-true.ts';
import { takeOver } from '../../lib/browser/transferred-files.ts';
import { useFilesOnPage } from '../../lib/browser/use-files-on-page.ts';
import { classNames } from '../../lib/class-names.ts';
import { DropOverlay } from '../../ui/drop-overlay.tsx';
import { ErrorNotice } from '../../ui/error-notice.tsx';
import { LoadingScreen } from '../../ui/loading/loading-screen.tsx';
import { showError } from '../../ui/toasts/show-error.ts';
import { SelectField } from '../../ui/forms/select-field.tsx';
import { refetchAllMemories } from '../memories/store/memory-mutations.ts';
import { usePets } from '../pets/pet-api.ts';
import { toPetOption } from '../pets/species.ts';
import { userQuery } from '../users/current-user.ts';
import { ArchivePreview } from './archive-preview/archive-preview.tsx';
import type { Archive } from './archive/read-archives.ts';
import { BATCHES } from './batch-api.ts';
import { BatchListSection } from './batch-list.tsx';
import { filesOfTransfer } from './file-input/chosen-files.ts';
import { FilesButton } from './file-input/files-button.tsx';
import type { BulkUploader } from './queue/bulk-uploader.ts';
import { nameOf, type ChosenFile } from './queue/queued-photo.ts';
import { PhotoList } from './photo-list.tsx';
import { SharedPhotos, useSharedPhotos } from './file-input/shared-photos.tsx';
import { UploadProgress } from './upload-progress.tsx';
import { useBulkUploader, useUploaderSnapshot } from './use-bulk-uploader.ts';

export function AddMany({ ownerId }: { ownerId: string }) {
  const uploader = useBulkUploader(ownerId);
  if (uploader === null) return <LoadingScreen />;
  if (uploader === 'failed')
    return (
      <ErrorNotice onRetry={() => window.location.reload()}>
        This browser stores nothing for this page, so it cannot add many photos. A private window may be the
        reason.
      </ErrorNotice>
    );
  return <Uploading ownerId={ownerId} uploader={uploader} />;
}

function HttpsNote() {
  return (
    <p className="mb-8 text-small text-muted sm:mb-10">
      Over https you could install Mems Are Forever on your phone, share photos to it and open it offline.
      This page would also know before sending which photos are in your album already, and keep the screen on.
    </p>
  );
}

function Uploading({ ownerId, uploader }: { ownerId: string; uploader: BulkUploader }) {
  const client = useQueryClient();
  const snapshot = useUploaderSnapshot(uploader);
  const [isReading, setReading] = useState(false);
  const isSending = ['sending', 'waiting', 'offline'].includes(snapshot.status);
  const [archive, setArchive] = useState<Archive | null>(null);
  const { data: pets = [] } = usePets();
  const shared = useSharedPhotos(ownerId, uploader);
  const isAsking = shared.undecided.length > 0 || archive !== null;
  /** Zips are shown before anything of them is added. */
  const addOrShow = async (chosen: ChosenFile[]) => {
    const zips = chosen.filter(({ path }) => /\.zip$/i.test(path));
    const others = chosen.filter((each) => !zips.includes(each));
    if (others.length > 0) await uploader.add(others);
    if (zips.length === 0) return;
    const files = await Promise.all(zips.map(async (zip) => new File([await zip.read()], nameOf(zip))));
    const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
    const { readArchives } = await import('./archive/read-archives.ts');
    setArchive(await readArchives(files, { pets, timeZone }));
  };
  const add = async (chosen: Promise<ChosenFile[]> | ChosenFile[]) => {
    setReading(true);
    try {
      await addOrShow(await chosen);
    } catch (error) {
      showError(error, 'Not read', 'These files could not be read. Please choose them again.');
    } finally {
      setReading(false);
    }
  };
  const takeOverOnce = useEffectEvent(() => {
    const transferred = takeOver();
    if (transferred) void filesOfTransfer(transferred).then(add);
  });
  useEffect(() => takeOverOnce(), []);
  useFilesOnPage((transferred) => void add(filesOfTransfer(transferred)));
  useOnTrue(snapshot.status === 'idle' && snapshot.counts.added > 0, () => {
    void refetchAllMemories(client);
    void client.invalidateQueries({ queryKey: [BATCHES] });
  });
  // Leads to the sign-in.
  useOnTrue(snapshot.status === 'signed-out', () => void client.invalidateQueries(userQuery));
  useEffect(() => {
    if (!isSending) return undefined;
    const warn = (event: Event) => event.preventDefault();
    window.addEventListener('beforeunload', warn);
    return () => window.removeEventListener('beforeunload', warn);
  }, [isSending]);

  return (
    <>
      <DropOverlay />
      {!window.isSecureContext && <HttpsNote />}
      <SharedPhotos shared={shared} />
      {archive && (
        <ArchivePreview
          archive={archive}
          isMain={shared.undecided.length === 0}
          onAdd={(chosen) => {
            setArchive(null);
            void add(chosen);
          }}
          onCancel={() => setArchive(null)}
        />
      )}
      {snapshot.total > 0 && (
        <UploadProgress
          uploader={uploader}
          snapshot={snapshot}
          isMain={!isAsking}
          onChoose={(chosen) => void add(chosen)}
        />
      )}
      <ChooseFiles
        isReading={isReading}
        onChoose={(chosen) => void add(chosen)}
        isCompact={snapshot.total > 0}
        isMain={!isAsking && snapshot.total === 0}
      />
      <PetForAll uploader={uploader} />
      <BatchListSection uploader={uploader} isSending={isSending} />
      {snapshot.total > 0 && <PhotoList photos={snapshot.photos} counts={snapshot.counts} />}
    </>
  );
}

interface ChooseFilesProps {
  isReading: boolean;
  isCompact: boolean;
  /** Its button is the one main action of the page. */
  isMain: boolean;
  onChoose: (chosen: ChosenFile[]) => void;
}

function ChooseFiles({ isReading, isCompact, isMain, onChoose }: ChooseFilesProps) {
  return (
    <div
      className={classNames(
        'flex flex-col items-center gap-5 rounded-field border-2 border-dashed border-edge px-5 text-center',
        isCompact ? 'mt-10 py-8' : 'py-12 sm:py-16',
      )}
    >
      <p role="status" className="text-muted">
        {isReading
          ? 'Reading your files...'
          : 'Drop photos, folders or zips from Google Takeout and iCloud here, paste them, or'}
      </p>
      <div className="flex gap-3 max-sm:w-full max-sm:flex-col">
        <FilesButton isMain={isMain} onChoose={onChoose}>
          <ImagePlus className="size-4.5" />
          Choose photos
        </FilesButton>
        <FilesButton isFolder onChoose={onChoose}>
          <FolderOpen className="size-4.5" />
          Choose a folder
        </FilesButton>
      </div>
    </div>
  );
}

function PetForAll({ uploader }: { uploader: BulkUploader }) {
  const { data: pets = [] } = usePets();
  const [petId, setPetId] = useState('');
  if (pets.length === 0) return null;
  return (
    <SelectField
      label="Pet"
      note="for all photos that are added from now on"
      className="mt-8 max-w-md"
      placeholder="No pet"
      options={pets.map(toPetOption)}
      value={petId}
      onChange={({ target }) => {
        setPetId(target.value);
        uploader.setDetails({ petId: target.value || null });
      }}
    />
  );
}
