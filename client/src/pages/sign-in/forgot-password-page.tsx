import { useState } from 'react';
import { Link } from 'wouter';
import { useHistoryState } from 'wouter/use-browser-location';
import { ForgotPasswordRequest, type User } from '#shared/accounts/user';
import { NotSentNotice } from '../../features/app-config/not-sent-notice.tsx';
import { useForgotPassword } from '../../features/users/user-api.ts';
import { paths } from '../../lib/routing/paths.ts';
import { usePageTitle } from '../../lib/routing/use-page-title.ts';
import { useZodForm } from '../../lib/use-zod-form.ts';
import { Button } from '../../ui/buttons/button.tsx';
import { EmailField } from '../../ui/forms/field.tsx';
import { Form, SubmitButton } from '../../ui/forms/form.tsx';
import { MessagePage } from '../../ui/message-page.tsx';

export function ForgotPasswordPage({ user }: { user: User | null }) {
  usePageTitle('Forgot password');
  const typedEmail = useHistoryState<{ email?: string } | null>()?.email;
  const [sentTo, setSentTo] = useState<string | null>(null);
  const [email, setEmail] = useState(typedEmail ?? user?.email ?? '');

  if (sentTo !== null) {
    return (
      <MessagePage title="Check your inbox" takesFocus>
        <p className="text-lead wrap-anywhere text-muted">
          If there is an account with {sentTo}, an email with a link is on its way. The link works for one
          hour.
        </p>
        <p className="text-muted">Nothing after a few minutes? Check your spam folder.</p>
        <Button
          variant="secondary"
          onClick={() => {
            setEmail(sentTo);
            setSentTo(null);
          }}
        >
          Send it again
        </Button>
        <NotSentNotice kind="email" />
      </MessagePage>
    );
  }
  return (
    <MessagePage title="Forgot your password?">
      <p className="text-lead text-muted">
        Enter your email address, and we’ll send you a link to choose a new one.
      </p>
      <NotSentNotice kind="email" />
      <ForgotPasswordForm email={email} onSent={setSentTo} />
      <Link href={user ? paths.account : paths.auth} className="inline-flex min-h-11 items-center underline">
        {user ? 'Back to your account' : 'Back to sign in'}
      </Link>
    </MessagePage>
  );
}

function ForgotPasswordForm({ email, onSent }: { email: string; onSent: (email: string) => void }) {
  const { mutateAsync: send } = useForgotPassword();
  const { form, field } = useZodForm(ForgotPasswordRequest, { email });
  const submit = async (request: ForgotPasswordRequest) => {
    await send(request);
    onSent(request.email);
  };
  return (
    <Form
      form={form}
      onSubmit={submit}
      errorToast={['The link could not be sent']}
      className="w-full max-w-md space-y-5"
    >
      <EmailField {...field('email')} />
      <SubmitButton className="max-sm:w-full" pendingText="Sending...">
        Send link
      </SubmitButton>
    </Form>
  );
}
