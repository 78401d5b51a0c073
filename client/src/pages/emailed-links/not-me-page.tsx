import { EmailedLinkPage } from '../../features/users/emailed-link-page.tsx';
import { useDisown } from '../../features/users/user-api.ts';

export function NotMePage() {
  const { mutateAsync: disown } = useDisown();
  return (
    <EmailedLinkPage
      pageTitle="This was not me"
      question={{
        title: 'This was not me',
        text: 'Someone created an account with your address. You can delete it, with everything in it, photos included. This can’t be undone.',
      }}
      button={{ children: 'Delete this account', pendingText: 'Deleting...', variant: 'destructive' }}
      onConfirm={disown}
      errorTitle="Account not deleted"
      invalidText="The account has been deleted or its address was confirmed. If it is confirmed and you did not do that, choose a new password: it signs everyone else out."
      done={{
        title: 'The account is deleted',
        text: 'Thank you for telling us. You will get no more email about it.',
      }}
    />
  );
}
