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
          You were signed out on every device. From now on the new password opens your album.
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
      <ShortPage title="This link does not work any more" takesFocus={state === 'over'}>
        <p className="text-lead text-muted">
          A link works once, for one hour. Your password is what it was before.
        </p>
        <Link href={paths.forgotPassword} className={buttonClasses()}>
          Ask for a new link
        </Link>
      </ShortPage>
    );
  }
  return (
    <ShortPage title="Choose a new password">
      <p className="text-lead text-muted">Every device will have to sign in with it.</p>
      <ResetPasswordForm token={token} onDone={() => setState('done')} onLinkOver={() => setState('over')} />
    </ShortPage>
  );
}
