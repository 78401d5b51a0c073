import type { ReactNode } from 'react';
import { Link, useLocation } from 'wouter';
import { useHistoryState } from 'wouter/use-browser-location';
import type { User } from '#shared/accounts/user';
import { useRegistration } from '../../features/app-config/app-config-api.ts';
import { useConnectIdentity, useOidcName, usePendingIdentity } from '../../features/oidc/oidc-api.ts';
import { SignInForm } from '../../features/sessions/auth-forms.tsx';
import { ConfirmIdentityProvider } from '../../features/sessions/confirm-identity.tsx';
import { SignInCodeScreen } from '../../features/sessions/sign-in-code-form.tsx';
import { isCodeStep } from '../../features/sessions/sign-in-step.ts';
import { useConfirmedIdentity } from '../../features/users/use-confirmed-identity.ts';
import { isNotFound, UNREACHABLE } from '../../lib/api/api-client.ts';
import { paths } from '../../lib/routing/paths.ts';
import { usePageTitle } from '../../lib/routing/use-page-title.ts';
import { Button, buttonClasses } from '../../ui/buttons/button.tsx';
import { ErrorNotice } from '../../ui/error-notice.tsx';
import { LoadingScreen } from '../../ui/loading/loading-screen.tsx';
import { MessagePage } from '../../ui/message-page.tsx';
import { CHECK_CONNECTION, showError } from '../../ui/toasts/show-error.ts';
import { showSuccess } from '../../ui/toasts/toast-store.ts';

/** After a sign-in at the OpenID Connect provider with an identity that no account is connected with. */
export function ConnectSignInPage({ user }: { user: User | null }) {
  usePageTitle('Connect your sign-in');
  const name = useOidcName() ?? 'the other service';
  const { data: pending, error, isFetching, refetch } = usePendingIdentity();
  const state = useHistoryState<unknown>();
  if (isNotFound(error)) {
    return (
      <MessagePage title="This sign-in has expired">
        <p className="text-lead wrap-anywhere text-muted">
          It works once, for ten minutes. Please start it again.
        </p>
        <Link href={user ? paths.account : paths.auth} className={buttonClasses()}>
          {user ? 'Your account' : 'Sign In'}
        </Link>
      </MessagePage>
    );
  }
  if (error) {
    return (
      <MessagePage title="Nothing is connected yet">
        <ErrorNotice onRetry={() => void refetch()} isRetrying={isFetching}>
          {UNREACHABLE}
        </ErrorNotice>
      </MessagePage>
    );
  }
  if (!pending) return <LoadingScreen isPage />;
  const identity = <bdi className="font-semibold wrap-anywhere text-ink">{pending.label ?? name}</bdi>;
  if (user) {
    return (
      <MessagePage title={`Connect ${name} to your album?`} takesFocus>
        <p className="text-lead wrap-anywhere text-muted">
          Once connected, {identity} at {name} can sign in to the album of{' '}
          <bdi className="wrap-anywhere">{user.email}</bdi> without its password.
        </p>
        <ConfirmIdentityProvider>
          <Connect name={name} />
        </ConfirmIdentityProvider>
      </MessagePage>
    );
  }
  if (isCodeStep(state)) return <SignInCodeScreen />;
  return <ChooseAlbum name={name} identity={identity} />;
}

function ChooseAlbum({ name, identity }: { name: string; identity: ReactNode }) {
  const registration = useRegistration();
  return (
    <MessagePage title="Which album is yours?">
      <p className="text-lead wrap-anywhere text-muted">
        No album is connected with {identity} yet. Sign in with your password once to connect yours with{' '}
        {name}.
      </p>
      <div className="w-full max-w-md">
        <SignInForm />
      </div>
      {registration === 'open' && (
        <p className="wrap-anywhere text-muted">
          New here?{' '}
          <Link href={paths.auth} state={{ tab: 'sign-up' }} className="underline">
            Create your album
          </Link>{' '}
          first, then connect {name} on your account page.
        </p>
      )}
    </MessagePage>
  );
}

function Connect({ name }: { name: string }) {
  const { mutateAsync: connect, isPending } = useConnectIdentity();
  const withConfirmedIdentity = useConfirmedIdentity();
  const [, navigate] = useLocation();
  const confirm = async () => {
    try {
      await withConfirmedIdentity(() => connect());
    } catch (error) {
      showError(error, 'Not connected', CHECK_CONNECTION);
      return;
    }
    showSuccess(`${name} connected`, `Next time, choose “Sign in with ${name}”.`);
    navigate(paths.account, { replace: true });
  };
  return (
    <div className="flex w-full flex-col gap-3 sm:flex-row">
      <Button
        className="py-2 wrap-anywhere whitespace-normal"
        onClick={() => void confirm()}
        isPending={isPending}
        pendingText="Connecting..."
      >
        Connect {name}
      </Button>
      <Link href={paths.account} replace className={buttonClasses({ variant: 'secondary' })}>
        Not now
      </Link>
    </div>
  );
}
