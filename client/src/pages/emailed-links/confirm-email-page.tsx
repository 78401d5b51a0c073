import { useState } from 'react';
import { Link } from 'wouter';
import { useHistoryState } from 'wouter/use-browser-location';
import type { User } from '#shared/accounts/user';
import { SignInForm } from '../../features/sessions/auth-forms.tsx';
import { LogoutButton } from '../../features/sessions/logout-button.tsx';
import { SignInCodeScreen } from '../../features/sessions/sign-in-code-form.tsx';
import { isCodeStep } from '../../features/sessions/sign-in-step.ts';
import { InvalidLinkPage } from '../../features/users/emailed-link-page.tsx';
import { useConfirmEmailChange } from '../../features/users/user-api.ts';
import { useEmailedToken } from '../../features/users/use-emailed-token.ts';
import { ApiError, serverMessage } from '../../lib/api/api-client.ts';
import { paths } from '../../lib/routing/paths.ts';
import { usePageTitle } from '../../lib/routing/use-page-title.ts';
import { Button, buttonClasses } from '../../ui/buttons/button.tsx';
import { MessagePage } from '../../ui/message-page.tsx';
import { CHECK_CONNECTION, showError } from '../../ui/toasts/show-error.ts';

/** Confirms the new address of an account. */
export function ConfirmEmailPage({ user }: { user: User | null }) {
  usePageTitle('Confirm your new address');
  const token = useEmailedToken();
  const state = useHistoryState<unknown>();
  if (user) return <ConfirmEmail key={token} token={token} user={user} />;
  if (isCodeStep(state)) return <SignInCodeScreen />;
  return (
    <MessagePage title="Confirm your new address">
      <p className="text-lead text-muted">
        Please sign in first, with the address that your account has now.
      </p>
      <div className="w-full max-w-md">
        <SignInForm />
      </div>
    </MessagePage>
  );
}

/** A button: mail scanners open links. */
function ConfirmEmail({ token, user }: { token: string; user: User }) {
  const [isConfirmed, setConfirmed] = useState(false);
  const [rejection, setRejection] = useState<ApiError | null>(null);
  const { mutateAsync: confirm, isPending } = useConfirmEmailChange();

  const submit = async () => {
    try {
      await confirm(token);
      setConfirmed(true);
    } catch (error) {
      if (error instanceof ApiError && [403, 409, 422].includes(error.status)) return setRejection(error);
      showError(error, 'Not confirmed', CHECK_CONNECTION);
    }
  };

  if (isConfirmed) {
    return (
      <MessagePage title="Your email address is changed" takesFocus>
        <p className="text-lead wrap-anywhere text-muted">
          You sign in with {user.email} from now on. We told your old address, too.
        </p>
        <Link href={paths.account} className={buttonClasses()}>
          Back to your account
        </Link>
      </MessagePage>
    );
  }
  if (token === '' || rejection) return <Rejection rejection={rejection} />;
  return (
    <MessagePage title="Confirm your new address" takesFocus>
      <p className="text-lead wrap-anywhere text-muted">
        Once you confirm it, you sign in with the new address instead of {user.email}.
      </p>
      <Button onClick={() => void submit()} isPending={isPending} pendingText="Confirming...">
        Confirm my new address
      </Button>
    </MessagePage>
  );
}

/** @param rejection null for a link without a token */
function Rejection({ rejection }: { rejection: ApiError | null }) {
  if (rejection?.status === 403) {
    return (
      <MessagePage title="This link is for another account" takesFocus>
        <p className="text-lead wrap-anywhere text-muted">{serverMessage(rejection)}</p>
        <LogoutButton />
      </MessagePage>
    );
  }
  const openAccount = (
    <Link href={paths.account} className={buttonClasses()}>
      Open your account
    </Link>
  );
  if (rejection?.status === 409) {
    return (
      <MessagePage title="Your email address stays as it is" takesFocus>
        <p className="text-lead text-muted">
          Another account has the new address now. Choose a different one in your account.
        </p>
        {openAccount}
      </MessagePage>
    );
  }
  return (
    <InvalidLinkPage
      takesFocus={rejection !== null}
      text="Links work once, for 24 hours, and only the latest one. You can request another one in your account."
    >
      {openAccount}
    </InvalidLinkPage>
  );
}
