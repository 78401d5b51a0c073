import { Button } from '../../ui/buttons/button.tsx';
import { useConfirm } from '../../ui/dialogs/use-confirm.tsx';
import { showToast } from '../../ui/toasts/toast-store.ts';

type Kind = 'photo' | 'caricature';

const CONSEQUENCE = 'The link will stop working for everyone who has it. Sharing it again creates a new one.';

interface ShareLinkProps {
  url: string | null;
  kind: Kind;
  onStop: () => Promise<unknown>;
}

/** The public link, with a button to stop sharing. Renders nothing while not shared. */
export function ShareLink({ url, kind, onStop }: ShareLinkProps) {
  const confirmStop = useConfirmStop();
  if (url === null) return null;
  return (
    <section aria-label="Shared" className="border-t border-hairline pt-4 text-small">
      <p>Shared. Anyone with this link can see the {kind}.</p>
      <a
        href={url}
        target="_blank"
        rel="noopener"
        className="flex min-h-11 items-center text-muted underline hover:text-ink"
      >
        <span className="truncate">{url}</span>
        <span className="sr-only"> (opens in a new tab)</span>
      </a>
      <Button
        variant="quiet"
        size="small"
        className="-ml-2"
        onClick={() => confirmStop(kind, CONSEQUENCE, onStop)}
      >
        Stop sharing
      </Button>
    </section>
  );
}

export function useConfirmStop() {
  const confirm = useConfirm();
  return (kind: Kind, description: string, stop: () => Promise<unknown>) =>
    void confirm({
      title: `Stop sharing this ${kind}?`,
      description,
      confirmText: 'Stop sharing',
      pendingText: 'Stopping...',
      errorToast: ['Error', 'Failed to stop sharing'],
      onConfirm: async () => {
        await stop();
        showToast({ title: 'No longer shared' });
      },
    });
}
