import { zodResolver } from '@hookform/resolvers/zod';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { Link } from 'wouter';
import { useHistoryState } from 'wouter/use-browser-location';
import { ForgotPasswordRequest, type User } from '#shared/user';
import { useForgotPassword } from '../features/users/user-api.ts';
import { bindFields, showFieldErrors } from '../lib/form-fields.ts';
import { paths } from '../lib/paths.ts';
import { usePageTitle } from '../lib/use-page-title.ts';
import { Button } from '../ui/button.tsx';
import { EmailField } from '../ui/field.tsx';
import { ShortPage } from '../ui/short-page.tsx';
import { showError } from '../ui/show-error.ts';

export function ForgotPasswordPage({ user }: { user: User | null }) {
  usePageTitle('Forgot password');
  const typedEmail = useHistoryState<{ email?: string } | null>()?.email;
  const [sentTo, setSentTo] = useState<string | null>(null);
  const [email, setEmail] = useState(typedEmail ?? user?.email ?? '');

  if (sentTo !== null) {
    return (
      <ShortPage title="Check your inbox" takesFocus>
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
      </ShortPage>
    );
  }
  return (
    <ShortPage title="Forgot your password?">
      <p className="text-lead text-muted">
        Enter your email address, and we’ll send you a link to choose a new one.
      </p>
      <ForgotPasswordForm email={email} onSent={setSentTo} />
      <Link href={user ? paths.account : paths.auth} className="inline-flex min-h-11 items-center underline">
        {user ? 'Back to your account' : 'Back to sign in'}
      </Link>
    </ShortPage>
  );
}

function ForgotPasswordForm({ email, onSent }: { email: string; onSent: (email: string) => void }) {
  const { mutateAsync: send } = useForgotPassword();
  const form = useForm<ForgotPasswordRequest>({
    resolver: zodResolver(ForgotPasswordRequest),
    defaultValues: { email },
  });
  const { isSubmitting } = form.formState;
  const submit = form.handleSubmit(async (request) => {
    try {
      await send(request);
    } catch (error) {
      showFieldErrors(error, form);
      showError(error, 'The link could not be sent', 'Please check your connection and try again.');
      return;
    }
    onSent(request.email);
  });
  return (
    <form onSubmit={(event) => void submit(event)} noValidate className="w-full max-w-md space-y-5">
      <EmailField {...bindFields(form)('email')} />
      <Button type="submit" className="max-sm:w-full" isPending={isSubmitting} pendingText="Sending...">
        Send link
      </Button>
    </form>
  );
}
