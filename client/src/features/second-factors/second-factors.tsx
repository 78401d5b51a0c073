import { CircleCheck, TriangleAlert } from 'lucide-react';
import { useState } from 'react';
import { FEW_RECOVERY_CODES, type SecondFactor, type TotpSetup } from '#shared/accounts/second-factor';
import type { User } from '#shared/accounts/user';
import { formatLongDate } from '../../lib/dates.ts';
import { Button } from '../../ui/buttons/button.tsx';
import { useConfirm } from '../../ui/dialogs/use-confirm.tsx';
import { LoadError } from '../../ui/error-notice.tsx';
import { Skeleton } from '../../ui/loading/skeleton.tsx';
import { CHECK_CONNECTION, showError } from '../../ui/toasts/show-error.ts';
import { showSuccess } from '../../ui/toasts/toast-store.ts';
import { useConfirmedIdentity } from '../users/use-confirmed-identity.ts';
import { RecoveryCodesDialog } from './recovery-codes-dialog.tsx';
import {
  startTotpSetup,
  useRenewRecoveryCodes,
  useSecondFactor,
  useTurnTotpOff,
} from './second-factor-api.ts';
import { TotpSetupDialog } from './totp-setup-dialog.tsx';

/** The authenticator app, and the recovery codes in its place. */
export function SecondFactors({ user }: { user: User }) {
  const { data: factor, isPending, isFetching, refetch } = useSecondFactor();
  /** Shown once. */
  const [codes, setCodes] = useState<string[] | null>(null);
  if (isPending)
    return (
      <div role="status" aria-label="Loading your authenticator app">
        <Skeleton className="h-20" />
      </div>
    );
  if (!factor)
    return <LoadError what="This part of your account" onRetry={refetch} isRetrying={isFetching} />;
  return (
    <>
      {factor.totpSince === null ? (
        <TotpOff onConfirmed={setCodes} />
      ) : (
        <TotpOn since={factor.totpSince} codesLeft={factor.recoveryCodesLeft} onRenewed={setCodes} />
      )}
      <RecoveryCodesDialog codes={codes} email={user.email} onClose={() => setCodes(null)} />
    </>
  );
}

function TotpOff({ onConfirmed }: { onConfirmed: (codes: string[]) => void }) {
  const withConfirmedIdentity = useConfirmedIdentity();
  const [setup, setSetup] = useState<TotpSetup | null>(null);
  const [isStarting, setStarting] = useState(false);
  const start = async () => {
    setStarting(true);
    await withConfirmedIdentity(startTotpSetup).then(setSetup, (error: unknown) =>
      showError(error, 'Not set up', CHECK_CONNECTION),
    );
    setStarting(false);
  };
  return (
    <>
      <p className="text-muted">
        Not set up. Your password alone opens this album, even for someone who guessed or stole it.
      </p>
      <Button
        variant="secondary"
        className="mt-4 max-sm:w-full"
        onClick={() => void start()}
        isPending={isStarting}
        pendingText="Preparing..."
      >
        Set up an authenticator app
      </Button>
      <TotpSetupDialog setup={setup} onClose={() => setSetup(null)} onConfirmed={onConfirmed} />
    </>
  );
}

interface TotpOnProps {
  since: NonNullable<SecondFactor['totpSince']>;
  codesLeft: number;
  onRenewed: (codes: string[]) => void;
}

function TotpOn({ since, codesLeft, onRenewed }: TotpOnProps) {
  const confirm = useConfirm();
  const withConfirmedIdentity = useConfirmedIdentity();
  const { mutateAsync: renew } = useRenewRecoveryCodes();
  const { mutateAsync: turnOff } = useTurnTotpOff();
  const askToRenew = async () => {
    let codes: string[] = [];
    const isRenewed = await confirm({
      title: 'New recovery codes?',
      description: 'You get ten new codes. The ones you have now will stop working.',
      confirmText: 'Renew codes',
      pendingText: 'Renewing...',
      errorToast: ['Not renewed', CHECK_CONNECTION],
      onConfirm: async () => {
        ({ codes } = await withConfirmedIdentity(() => renew()));
      },
    });
    if (isRenewed) onRenewed(codes);
  };
  const askToTurnOff = () =>
    confirm({
      title: 'Turn off your authenticator app?',
      description: 'Your password alone will open this album, and your recovery codes will stop working.',
      confirmText: 'Turn off',
      pendingText: 'Turning off...',
      errorToast: ['Not turned off', CHECK_CONNECTION],
      onConfirm: async () => {
        await withConfirmedIdentity(() => turnOff());
        showSuccess('Authenticator app turned off');
      },
    });
  return (
    <>
      <p className="flex items-center gap-2 text-sage">
        <CircleCheck className="size-5 shrink-0" />
        On since {formatLongDate(since)}
      </p>
      {codesLeft <= FEW_RECOVERY_CODES ? (
        <p className="mt-3 flex items-start gap-2 text-danger">
          <TriangleAlert className="mt-0.5 size-5 shrink-0" />
          <span>{describeCodesLeft(codesLeft)} Renew them before you need one.</span>
        </p>
      ) : (
        <p className="mt-2 text-muted">{describeCodesLeft(codesLeft)}</p>
      )}
      <div className="mt-4 flex flex-col gap-3 sm:flex-row sm:flex-wrap">
        <Button variant="secondary" onClick={() => void askToRenew()}>
          New recovery codes
        </Button>
        <Button variant="quiet" onClick={() => void askToTurnOff()}>
          Turn off
        </Button>
      </div>
    </>
  );
}

function describeCodesLeft(count: number): string {
  if (count === 0) return 'You have no recovery codes left.';
  return `You have ${count} recovery ${count === 1 ? 'code' : 'codes'} left.`;
}
