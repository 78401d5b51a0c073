import { queryOptions, useQuery } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useState } from 'react';
import type { RemoteSourceConfig } from '#shared/transfers/remote-source';
import { Dialog } from '../../ui/dialogs/dialog.tsx';
import { ErrorNotice } from '../../ui/error-notice.tsx';
import { LoadingScreen } from '../../ui/loading/loading-screen.tsx';
import { useAppConfig } from '../app-config/app-config-api.ts';
import type { PhotoUploaderProps, UploaderStage } from './photo-uploader.tsx';
import { loadRemoteSources } from './remote/remote-sources.ts';

const UPLOADING = { title: 'Uploading your photo', description: 'Please keep this page open.' };
const STAGE_TEXTS: Record<UploaderStage, { title: string; description: string }> = {
  choosing: { title: 'Choose the photo', description: 'One photo of up to 10 MB.' },
  chosen: { title: 'Your photo', description: 'You can upload it now.' },
  'chosen-editable': { title: 'Your photo', description: 'Upload it as it is, or adjust it first.' },
  editing: { title: 'Adjust your photo', description: 'Crop, turn or flip it.' },
  uploading: UPLOADING,
  finishing: UPLOADING,
  // The status bar says whether it went well.
  failed: { title: 'Your photo', description: 'Your photo and text are still here.' },
  done: { title: 'Your photo', description: 'This closes by itself.' },
};

interface PhotoUploaderDialogProps extends Omit<PhotoUploaderProps, 'onStage' | 'remoteSources'> {
  isOpen: boolean;
}

export function PhotoUploaderDialog({ isOpen, ...uploader }: PhotoUploaderDialogProps) {
  /** Null until the uploader says it. */
  const [stage, setStage] = useState<UploaderStage | null>(null);
  return (
    <Dialog
      isOpen={isOpen}
      onClose={uploader.onCancel}
      {...STAGE_TEXTS[stage ?? (uploader.photo ? 'uploading' : 'choosing')]}
      className="sm:max-w-[814px]"
      isBusy
    >
      <div className="mt-5 min-h-[min(550px,100dvh-14rem)]">
        <LazyUploader {...uploader} onStage={setStage} onGone={() => setStage(null)} />
      </div>
    </Dialog>
  );
}

function LazyUploader({ onGone, ...uploader }: PhotoUploaderProps & { onGone: () => void }) {
  const tellGone = useEffectEvent(onGone);
  useEffect(() => () => tellGone(), []);
  const { data: config, isPending } = useAppConfig();
  const code = uploaderCode(config?.remoteSources ?? []);
  const { data, isError, refetch } = useQuery({ ...code, enabled: !isPending });
  if (data) return <data.PhotoUploader {...uploader} remoteSources={data.remoteSources} />;
  if (!isError) return <LoadingScreen />;
  return (
    <ErrorNotice onRetry={() => void refetch()}>
      The uploader could not be loaded. Your text is safe; please check your connection and try again.
    </ErrorNotice>
  );
}

/** Uppy is large, so it is loaded on first use. A query, since `lazy` cannot retry a failed import. */
const uploaderCode = (sources: RemoteSourceConfig[]) =>
  queryOptions({
    queryKey: ['photo-uploader code', sources],
    staleTime: Infinity,
    queryFn: async () => {
      await Promise.all([...failedStyles].map(reload));
      window.addEventListener('error', trackFailedStyle, { capture: true });
      try {
        const [{ PhotoUploader }, remoteSources] = await Promise.all([
          import('./photo-uploader.tsx'),
          loadRemoteSources(sources),
        ]);
        return { PhotoUploader, remoteSources };
      } finally {
        window.removeEventListener('error', trackFailedStyle, { capture: true });
      }
    },
  });

/** Vite does not retry a failed stylesheet: the uploader would appear unstyled. */
const failedStyles = new Set<HTMLLinkElement>();

function trackFailedStyle({ target }: Event): void {
  if (target instanceof HTMLLinkElement && target.rel === 'stylesheet') failedStyles.add(target);
}

function reload(failed: HTMLLinkElement): Promise<void> {
  const link = failed.cloneNode() as HTMLLinkElement;
  return new Promise((resolve, reject) => {
    link.onload = () => resolve();
    link.onerror = () => {
      failedStyles.add(link);
      reject(new Error(`${link.href} could not be fetched`));
    };
    failedStyles.delete(failed);
    failed.replaceWith(link);
  });
}
