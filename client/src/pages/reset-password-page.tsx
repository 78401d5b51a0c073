import { useState } from 'react';
import { Link } from 'wouter';
import { ResetPasswordForm } from '../features/account/reset-password-form.tsx';
import { useMailedToken } from '../features/account/use-mailed-token.ts';
import { paths } from '../lib/paths.ts';
import { usePageTitle } from '../lib/use-page-title.ts';
import { buttonClasses } from '../ui/button.tsx';
import { ShortPage } from '../ui/short-page.tsx';

export function ResetPasswordPage() {
  const token = useMailedToken();
  return <ResetPassword key={token} token={token} />;
}

function ResetPassword({ token }: { token: string }) {
  usePageTitle('New password');
  const [state, setState] = useState<'open' | 'done' | 'over'>('open');

  if (state === 'done') {
    return (
      <ShortPage title="Your password is changed" takesFocus>
        <p className="text-lead text-muted">
          You have been signed out on all devices. Sign in with your new password.
        </p>
        {/* Loads the app anew: nothing of a session that has ended stays in it. */}
        <a href={paths.auth} className={buttonClasses()}>
          Sign In
        </a>
      </ShortPage>
    );
  }
  if (token === '' || state === 'over') {
    return (
      <ShortPage title="This link no longer works" takesFocus={state === 'over'}>
        <p className="text-lead text-muted">Links work once, for one hour. Your password has not changed.</p>
        <Link href={paths.forgotPassword} className={buttonClasses()}>
          Request a new link
        </Link>
      </ShortPage>
    );
  }
  return (
    <ShortPage title="Choose a new password">
      <p className="text-lead text-muted">You will be signed out on all devices.</p>
      <ResetPasswordForm token={token} onDone={() => setState('done')} onLinkOver={() => setState('over')} />
    </ShortPage>
  );
}
