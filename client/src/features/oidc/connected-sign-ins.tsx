import { useRef } from 'react';
import type { ConnectedIdentity } from '#shared/accounts/oidc';
import { formatLongDate } from '../../lib/dates.ts';
import { Button } from '../../ui/buttons/button.tsx';
import { LoadError } from '../../ui/error-notice.tsx';
import { Skeleton } from '../../ui/loading/skeleton.tsx';
import { SettingsSection } from '../../ui/settings-section.tsx';
import { CHECK_CONNECTION, showError } from '../../ui/toasts/show-error.ts';
import { showSuccess } from '../../ui/toasts/toast-store.ts';
import { useConfirmedIdentity } from '../users/use-confirmed-identity.ts';
import { useConnectedIdentities, useDisconnectIdentity, useOidcName, useStartOidc } from './oidc-api.ts';
import { showStartError } from './oidc-button.tsx';
import { OidcNotice } from './oidc-notice.tsx';

/** Renders nothing without a provider. */
export function ConnectedSignIns() {
  const name = useOidcName();
  if (name === null) return null;
  return (
    <SettingsSection
      title={name}
      note={`Once it is connected, ${name} signs you in without your password. Your password keeps working.`}
    >
      <OidcNotice className="mb-5" />
      <Identities name={name} />
    </SettingsSection>
  );
}

function Identities({ name }: { name: string }) {
  const { data: identities, isPending, isFetching, refetch } = useConnectedIdentities();
  /** Stays, and receives the focus when the button to disconnect is removed. */
  const status = useRef<HTMLParagraphElement>(null);
  if (!identities) {
    return isPending ? (
      <div role="status" aria-label={`Loading your connection with ${name}`}>
        <Skeleton className="h-16" />
      </div>
    ) : (
      <LoadError what={`Your connection with ${name}`} onRetry={refetch} isRetrying={isFetching} />
    );
  }
  // An account has at most one.
  const [identity] = identities;
  return (
    <>
      <p ref={status} tabIndex={-1} className="text-lead wrap-anywhere outline-none">
        {identity ? <bdi>{identity.label ?? 'Connected'}</bdi> : 'Not connected'}
      </p>
      {identity ? (
        <ConnectedIdentityDetails name={name} identity={identity} onRemoved={() => status.current?.focus()} />
      ) : (
        <ConnectButton name={name} />
      )}
    </>
  );
}

function ConnectButton({ name }: { name: string }) {
  const start = useStartOidc();
  return (
    <Button
      variant="secondary"
      className="mt-4 py-2 wrap-anywhere whitespace-normal max-sm:w-full"
      onClick={() => start.mutate(undefined, { onError: showStartError })}
      isPending={start.isPending}
      pendingText={`Opening ${name}...`}
    >
      Connect {name}
    </Button>
  );
}

interface ConnectedIdentityDetailsProps {
  name: string;
  identity: ConnectedIdentity;
  onRemoved: () => void;
}

function ConnectedIdentityDetails({ name, identity, onRemoved }: ConnectedIdentityDetailsProps) {
  const { id, createdAt, lastUsedAt } = identity;
  const { mutateAsync: disconnect, isPending } = useDisconnectIdentity();
  const withConfirmedIdentity = useConfirmedIdentity();
  const remove = async () => {
    try {
      await withConfirmedIdentity(() => disconnect(id));
    } catch (error) {
      showError(error, 'Not disconnected', CHECK_CONNECTION);
      return;
    }
    showSuccess(`${name} disconnected`, 'From now on, you sign in with your password.');
    onRemoved();
  };
  return (
    <>
      <p className="mt-1 text-small text-muted">
        Connected <time dateTime={createdAt}>{formatLongDate(createdAt)}</time>
        {lastUsedAt && (
          <>
            {' · '}
            last used <time dateTime={lastUsedAt}>{formatLongDate(lastUsedAt)}</time>
          </>
        )}
      </p>
      <Button
        variant="secondary"
        className="mt-4 py-2 wrap-anywhere whitespace-normal max-sm:w-full"
        onClick={() => void remove()}
        isPending={isPending}
        pendingText="Disconnecting..."
      >
        Disconnect {name}
      </Button>
    </>
  );
}
