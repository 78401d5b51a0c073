import { useState } from 'react';
import { Link } from 'wouter';
import { useDisown } from '../features/users/user-api.ts';
import { useEmailedToken } from '../features/users/use-emailed-token.ts';
import { ApiError } from '../lib/api-client.ts';
import { paths } from '../lib/paths.ts';
import { usePageTitle } from '../lib/use-page-title.ts';
import { Button, buttonClasses } from '../ui/button.tsx';
import { MessagePage } from '../ui/message-page.tsx';
import { showError } from '../ui/show-error.ts';

export function NotMePage() {
  const token = useEmailedToken();
  return <NotMe key={token} token={token} />;
}

function NotMe({ token }: { token: string }) {
  usePageTitle('This was not me');
  const [state, setState] = useState<'question' | 'done' | 'invalid-link'>('question');
  const { mutateAsync: disown, isPending } = useDisown();

  const remove = async () => {
    try {
      await disown(token);
    } catch (error) {
      if (error instanceof ApiError && error.status === 422) return setState('invalid-link');
      showError(error, 'Account not deleted', 'Please check your connection and try again.');
      return;
    }
    setState('done');
  };

  if (state === 'done') {
    return (
      <MessagePage title="The account is deleted" takesFocus>
        <p className="text-lead text-muted">Thank you for telling us. You will get no more email about it.</p>
      </MessagePage>
    );
  }
  if (token === '' || state === 'invalid-link') {
    return (
      <MessagePage title="This link no longer works" takesFocus={state === 'invalid-link'}>
        <p className="text-lead text-muted">
          The account has been deleted or its address was confirmed. If it is confirmed and you did not do
          that, choose a new password: it signs everyone else out.
        </p>
        <Link href={paths.forgotPassword} className={buttonClasses()}>
          Choose a new password
        </Link>
      </MessagePage>
    );
  }
  return (
    <MessagePage title="This was not me">
      <p className="text-lead text-muted">
        Someone created an account with your address. You can delete it, with everything in it, photos
        included. This can’t be undone.
      </p>
      <Button
        variant="destructive"
        onClick={() => void remove()}
        isPending={isPending}
        pendingText="Deleting..."
      >
        Delete this account
      </Button>
    </MessagePage>
  );
}
