import { useState } from 'react';
import { Link, useLocation } from 'wouter';
import { useSecureAccount } from '../features/users/user-api.ts';
import { useEmailedToken } from '../features/users/use-emailed-token.ts';
import { ApiError, serverMessage } from '../lib/api-client.ts';
import { paths } from '../lib/paths.ts';
import { usePageTitle } from '../lib/use-page-title.ts';
import { Button, buttonClasses } from '../ui/button.tsx';
import { MessagePage } from '../ui/message-page.tsx';
import { showError } from '../ui/show-error.ts';
import { showToast } from '../ui/toast-store.ts';

export function SecureAccountPage() {
  const token = useEmailedToken();
  return <SecureAccount key={token} token={token} />;
}

/** A button: mail scanners open links. */
function SecureAccount({ token }: { token: string }) {
  usePageTitle('Sign out every device');
  const [, navigate] = useLocation();
  const [isLinkInvalid, setLinkInvalid] = useState(false);
  const { mutateAsync: secure, isPending } = useSecureAccount();

  const submit = async () => {
    try {
      const { resetToken } = await secure(token);
      showToast({ title: 'Every device is signed out', variant: 'success' });
      // Replaced, so that "Back" does not lead to a used link.
      navigate(`${paths.resetPassword}#${resetToken}`, { replace: true });
    } catch (error) {
      if (error instanceof ApiError && error.status === 422) return setLinkInvalid(true);
      const advice = serverMessage(error) ?? 'Please check your connection and try again.';
      showError(error, 'Not signed out', advice);
    }
  };

  if (token === '' || isLinkInvalid) {
    return (
      <MessagePage title="This link no longer works" takesFocus={isLinkInvalid}>
        <p className="text-lead text-muted">
          It was used already, or it is more than 48 hours old. A new password signs out every device, too.
        </p>
        <Link href={paths.forgotPassword} className={buttonClasses()}>
          Choose a new password
        </Link>
      </MessagePage>
    );
  }
  return (
    <MessagePage title="This was not you?">
      <p className="text-lead text-muted">
        Sign out every device, and then choose a new password: the old one will no longer work. Passkeys,
        connected sign-ins and an authenticator app set up in the last days will be removed.
      </p>
      <Button onClick={() => void submit()} isPending={isPending} pendingText="Signing out...">
        Sign out every device
      </Button>
    </MessagePage>
  );
}
