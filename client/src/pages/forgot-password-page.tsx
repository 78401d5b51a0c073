import { useState } from 'react';
import { Link } from 'wouter';
import { useHistoryState } from 'wouter/use-browser-location';
import type { User } from '#shared/user';
import { ForgotPasswordForm } from '../features/account/forgot-password-form.tsx';
import { paths } from '../lib/paths.ts';
import { usePageTitle } from '../lib/use-page-title.ts';
import { Button } from '../ui/button.tsx';
import { ShortPage } from '../ui/short-page.tsx';

export function ForgotPasswordPage({ user }: { user: User | null }) {
  usePageTitle('Forgot password');
  const written = useHistoryState<{ email?: string } | null>()?.email;
  const [sentTo, setSentTo] = useState<string | null>(null);
  const [email, setEmail] = useState(written ?? user?.email ?? '');

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
