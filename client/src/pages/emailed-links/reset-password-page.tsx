import { useState } from 'react';
import { Link } from 'wouter';
import { ResetPasswordRequest, type ResetPasswordResponse } from '#shared/accounts/user';
import { InvalidLinkPage } from '../../features/users/emailed-link-page.tsx';
import { useResetPassword, useResetPasswordEmail } from '../../features/users/user-api.ts';
import { handleInvalidLink, useEmailedToken } from '../../features/users/use-emailed-token.ts';
import { paths } from '../../lib/routing/paths.ts';
import { usePageTitle } from '../../lib/routing/use-page-title.ts';
import { useZodForm } from '../../lib/use-zod-form.ts';
import { HiddenUsername, NewPasswordField } from '../../features/users/user-fields.tsx';
import { buttonClasses } from '../../ui/buttons/button.tsx';
import { Form, SubmitButton } from '../../ui/forms/form.tsx';
import { MessagePage } from '../../ui/message-page.tsx';

export function ResetPasswordPage() {
  const token = useEmailedToken();
  return <ResetPassword key={token} token={token} />;
}

function ResetPassword({ token }: { token: string }) {
  usePageTitle('New password');
  const [state, setState] = useState<'form' | 'done' | 'done-without-setup' | 'invalid-link'>('form');

  if (state === 'done' || state === 'done-without-setup') {
    return (
      <MessagePage title="Your password is changed" takesFocus>
        <p className="text-lead text-muted">
          You have been signed out on all devices, and passkeys and connected sign-ins were removed. Sign in
          with your new password.
        </p>
        {state === 'done-without-setup' && (
          <p className="text-muted">
            This address was never confirmed before, so someone else could have set up the account. To be
            safe, we removed its names, contacts, phone number, allowed senders, shared links, passkeys and
            authenticator app. Pets and photos are still there.
          </p>
        )}
        {/* A full page load removes the cached data of the ended session. */}
        <a href={paths.auth} className={buttonClasses()}>
          Sign In
        </a>
      </MessagePage>
    );
  }
  if (token === '' || state === 'invalid-link') {
    return (
      <InvalidLinkPage
        takesFocus={state === 'invalid-link'}
        text="Links work once, for one hour. Your password has not changed."
      >
        <Link href={paths.forgotPassword} className={buttonClasses()}>
          Request a new link
        </Link>
      </InvalidLinkPage>
    );
  }
  return (
    <MessagePage title="Choose a new password">
      <p className="text-lead text-muted">
        You will be signed out on all devices. Passkeys and connected sign-ins will be removed.
      </p>
      <ResetPasswordForm
        token={token}
        onDone={({ isSetupRemoved }) => setState(isSetupRemoved ? 'done-without-setup' : 'done')}
        onInvalidLink={() => setState('invalid-link')}
      />
    </MessagePage>
  );
}

interface ResetPasswordFormProps {
  token: string;
  onDone: (response: ResetPasswordResponse) => void;
  onInvalidLink: () => void;
}

function ResetPasswordForm({ token, onDone, onInvalidLink }: ResetPasswordFormProps) {
  const { mutateAsync: reset } = useResetPassword();
  const email = useResetPasswordEmail(token);
  const { form, field } = useZodForm(ResetPasswordRequest, { token, password: '' });
  return (
    <Form
      form={form}
      onSubmit={async (request) => onDone(await reset(request))}
      onError={handleInvalidLink(onInvalidLink)}
      errorToast={['Password not changed']}
      className="w-full max-w-md space-y-5"
    >
      <HiddenUsername email={email} />
      <NewPasswordField label="New password" {...field('password')} />
      <SubmitButton className="max-sm:w-full" pendingText="Saving...">
        Save password
      </SubmitButton>
    </Form>
  );
}
