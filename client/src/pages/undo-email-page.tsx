import { useState } from 'react';
import { Link, useLocation } from 'wouter';
import { useUndoEmailChange } from '../features/users/user-api.ts';
import { useEmailedToken } from '../features/users/use-emailed-token.ts';
import { ApiError, serverMessage } from '../lib/api-client.ts';
import { paths } from '../lib/paths.ts';
import { usePageTitle } from '../lib/use-page-title.ts';
import { Button, buttonClasses } from '../ui/button.tsx';
import { MessagePage } from '../ui/message-page.tsx';
import { showError } from '../ui/show-error.ts';
import { showToast } from '../ui/toast-store.ts';

export function UndoEmailPage() {
  const token = useEmailedToken();
  return <UndoEmail key={token} token={token} />;
}

/** A button: mail scanners open links. */
function UndoEmail({ token }: { token: string }) {
  usePageTitle('Undo the change of your email address');
  const [, navigate] = useLocation();
  const [isLinkInvalid, setLinkInvalid] = useState(false);
  const { mutateAsync: undo, isPending } = useUndoEmailChange();

  const submit = async () => {
    try {
      const { resetToken } = await undo(token);
      showToast({ title: 'This address is yours again', variant: 'success' });
      // Replaced, so that "Back" does not lead to a used link.
      navigate(`${paths.resetPassword}#${resetToken}`, { replace: true });
    } catch (error) {
      if (error instanceof ApiError && error.status === 422) return setLinkInvalid(true);
      showError(error, 'Not undone', serverMessage(error) ?? 'Please check your connection and try again.');
    }
  };

  if (token === '' || isLinkInvalid) {
    return (
      <MessagePage title="This link no longer works" takesFocus={isLinkInvalid}>
        <p className="text-lead text-muted">
          The change was undone already, or it is more than 48 hours old. If you can’t sign in, choose a new
          password or ask the person who runs this album.
        </p>
        <Link href={paths.forgotPassword} className={buttonClasses()}>
          Choose a new password
        </Link>
      </MessagePage>
    );
  }
  return (
    <MessagePage title="Keep your email address">
      <p className="text-lead text-muted">
        If you did not change the email address of your account, undo it here. This address will be yours
        again, every device will be signed out, and you choose a new password. Passkeys, connected sign-ins
        and an authenticator app set up in the last days will be removed.
      </p>
      <Button onClick={() => void submit()} isPending={isPending} pendingText="Undoing...">
        Undo the change
      </Button>
    </MessagePage>
  );
}
