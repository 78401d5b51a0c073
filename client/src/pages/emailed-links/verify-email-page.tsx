import { useState, type ComponentProps } from 'react';
import { Link } from 'wouter';
import { PASSWORD_NEEDED, type User } from '#shared/accounts/user';
import { ConfirmEmailForm } from '../../features/users/confirm-email-form.tsx';
import { InvalidLinkPage } from '../../features/users/emailed-link-page.tsx';
import { useEmailVerification } from '../../features/users/user-api.ts';
import { ResendLinkButton } from '../../features/users/unverified-email-notice.tsx';
import { useEmailedToken } from '../../features/users/use-emailed-token.ts';
import { ApiError, UNREACHABLE } from '../../lib/api/api-client.ts';
import { paths } from '../../lib/routing/paths.ts';
import { usePageTitle } from '../../lib/routing/use-page-title.ts';
import { buttonClasses } from '../../ui/buttons/button.tsx';
import { ErrorNotice } from '../../ui/error-notice.tsx';
import { LoadingScreen } from '../../ui/loading/loading-screen.tsx';
import { MessagePage } from '../../ui/message-page.tsx';

export function VerifyEmailPage({ user }: { user: User | null }) {
  usePageTitle('Confirm your address');
  const token = useEmailedToken();
  const { data, error, isFetching, refetch } = useEmailVerification(token);
  const [isConfirmed, setConfirmed] = useState(false);
  const [isExpired, setExpired] = useState(false);
  const isLinkInvalid = isExpired || (error instanceof ApiError && error.status === 422);

  if (data || isConfirmed) {
    return (
      <MessagePage title="Your address is confirmed" takesFocus>
        <p className="text-lead text-muted">Thank you. Your contacts will get your new photos from now on.</p>
        <WayOn user={user} />
      </MessagePage>
    );
  }
  if (isLinkInvalid && user?.emailVerified) {
    return (
      <MessagePage title="Your address is already confirmed" takesFocus>
        <p className="text-lead wrap-anywhere text-muted">
          {user.email} is confirmed. Your contacts get your new photos.
        </p>
        <WayOn user={user} />
      </MessagePage>
    );
  }
  if (isLinkInvalid) {
    return (
      <InvalidLinkPage
        takesFocus
        text={`Links work once, for 24 hours. ${user ? 'We can send you another one.' : 'Sign in and request another one in your account.'}`}
      >
        {user ? <ResendLinkButton name="Send a new link" variant="primary" /> : <WayOn user={user} />}
      </InvalidLinkPage>
    );
  }
  if (error instanceof ApiError && error.body?.code === PASSWORD_NEEDED) {
    return (
      <PasswordStep
        token={token}
        message={error.body.message}
        email={error.body.email}
        onConfirmed={() => setConfirmed(true)}
        onInvalidLink={() => setExpired(true)}
      />
    );
  }
  if (error) {
    return (
      <MessagePage title="Your address is not confirmed yet">
        <ErrorNotice onRetry={() => void refetch()} isRetrying={isFetching}>
          {UNREACHABLE}
        </ErrorNotice>
      </MessagePage>
    );
  }
  return <LoadingScreen isPage text="Confirming your address..." />;
}

interface PasswordStepProps extends ComponentProps<typeof ConfirmEmailForm> {
  message: string;
}

function PasswordStep({ message, ...form }: PasswordStepProps) {
  return (
    <MessagePage title="Confirm your address">
      <p className="text-lead wrap-anywhere text-muted">{message}</p>
      <ConfirmEmailForm {...form} />
      <p className="text-muted">
        You did not create this account?{' '}
        <Link href={`${paths.notMe}#${form.token}`} className="underline">
          This was not me
        </Link>
      </p>
    </MessagePage>
  );
}

function WayOn({ user }: { user: User | null }) {
  return (
    <Link href={user ? paths.home : paths.auth} className={buttonClasses()}>
      {user ? 'Open your album' : 'Sign In'}
    </Link>
  );
}
