import { Download } from 'lucide-react';
import { useEffect } from 'react';
import { EXPORT_DAYS, type Export } from '#shared/transfers/export';
import { formatLongDate } from '../../lib/dates.ts';
import { formatBytes } from '../../lib/format-bytes.ts';
import { Button } from '../../ui/buttons/button.tsx';
import { ErrorNotice, LoadError } from '../../ui/error-notice.tsx';
import { ProgressBar } from '../../ui/loading/progress-bar.tsx';
import { ListSkeleton } from '../../ui/loading/skeleton.tsx';
import { SettingsSection } from '../../ui/settings-section.tsx';
import { CHECK_CONNECTION, showError } from '../../ui/toasts/show-error.ts';
import { useDownloadPart, useExport, useStartExport } from './export-api.ts';

/** For links to the section, also in emails. */
export const EXPORT_ID = 'export';

/** All that the account holds, to take along. */
export function ExportSection() {
  const { data, isPending, isFetching, refetch } = useExport();
  useScrollToHash(data !== undefined);
  return (
    <SettingsSection
      id={EXPORT_ID}
      title="Export everything"
      note="All your photos, just as you added them, with their stories, pets, contacts and caricatures. Packed so that any computer opens them, without us and without the internet."
    >
      {data !== undefined ? (
        <ExportState current={data} />
      ) : isPending ? (
        <ListSkeleton label="Loading your export" />
      ) : (
        <LoadError what="Your export" onRetry={refetch} isRetrying={isFetching} />
      )}
    </SettingsSection>
  );
}

function ExportState({ current }: { current: Export | null }) {
  const { mutate, isPending } = useStartExport();
  const start = () =>
    mutate(undefined, {
      onError: (error) => showError(error, 'Not started', CHECK_CONNECTION),
    });
  switch (current?.status) {
    case 'making':
      return <Packing progress={current.progress} />;
    case 'completed':
      return <Ready export={current} onRestart={start} isRestarting={isPending} />;
    case 'failed':
      return (
        <ErrorNotice onRetry={start} isRetrying={isPending}>
          We could not pack everything this time. Your album is safe and unchanged.
        </ErrorNotice>
      );
    case undefined:
      return (
        <>
          <p className="text-muted">
            Packing takes a few minutes, longer for a large album. We email you when it is ready, and keep it
            for {EXPORT_DAYS} days.
          </p>
          <Button
            className="mt-5 max-sm:w-full"
            onClick={start}
            isPending={isPending}
            pendingText="Starting..."
          >
            Export everything
          </Button>
        </>
      );
  }
}

function Packing({ progress }: Pick<Export, 'progress'>) {
  return (
    <>
      <ProgressBar label="Packing your album" value={progress} note={`${progress} %`} />
      <p className="mt-3 text-muted">You can leave this page. We email you when it is ready.</p>
    </>
  );
}

function Ready({
  export: { parts, expiresAt },
  onRestart,
  isRestarting,
}: {
  export: Export;
  onRestart: () => void;
  isRestarting: boolean;
}) {
  const { mutate: downloadPart, isPending, variables } = useDownloadPart();
  const start = (url: string) =>
    downloadPart(url, {
      onError: (error) => showError(error, 'Not downloaded', CHECK_CONNECTION),
    });
  return (
    <>
      <p role="status">
        <span className="font-semibold">Your export is ready.</span>{' '}
        {expiresAt && `You can download it until ${formatLongDate(expiresAt)}.`}
      </p>
      <ul className="mt-5 space-y-3">
        {parts.map(({ number, byteSize, url }) => {
          const name = parts.length > 1 ? `Download part ${number} of ${parts.length}` : 'Download';
          return (
            <li key={url}>
              <Button
                className="max-sm:w-full"
                onClick={() => start(url)}
                isPending={isPending && variables === url}
              >
                <Download />
                {name} ({formatBytes(byteSize)})
              </Button>
            </li>
          );
        })}
      </ul>
      <p className="mt-5 max-w-md text-small text-muted">
        {parts.length > 1
          ? 'Extract all parts into one folder, then open index.html in it.'
          : 'Extract it, then open index.html in it.'}{' '}
        We may ask for your password.
      </p>
      <Button
        variant="secondary"
        className="mt-5 max-sm:w-full"
        onClick={onRestart}
        isPending={isRestarting}
        pendingText="Starting..."
      >
        Export again
      </Button>
      <p className="mt-2 text-small text-muted">
        Makes a new export that includes what you added since, and replaces this one.
      </p>
    </>
  );
}

/** The page comes after its address, so that the browser cannot scroll there. */
function useScrollToHash(isLoaded: boolean): void {
  useEffect(() => {
    if (isLoaded && window.location.hash === `#${EXPORT_ID}`)
      document.getElementById(EXPORT_ID)?.scrollIntoView();
  }, [isLoaded]);
}
