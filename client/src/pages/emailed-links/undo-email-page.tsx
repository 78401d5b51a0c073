import { EmailedLinkPage } from '../../features/users/emailed-link-page.tsx';
import { useChooseNewPassword } from '../../features/users/use-emailed-token.ts';
import { useUndoEmailChange } from '../../features/users/user-api.ts';
import { showSuccess } from '../../ui/toasts/toast-store.ts';

export function UndoEmailPage() {
  const { mutateAsync: undo } = useUndoEmailChange();
  const chooseNewPassword = useChooseNewPassword();
  return (
    <EmailedLinkPage
      pageTitle="Undo the change of your email address"
      question={{
        title: 'Keep your email address',
        text: 'If you did not change the email address of your account, undo it here. This address will be yours again, every device will be signed out, and you choose a new password. Passkeys, connected sign-ins and an authenticator app set up in the last days will be removed.',
      }}
      button={{ children: 'Undo the change', pendingText: 'Undoing...' }}
      onConfirm={async (token) => {
        const { resetToken } = await undo(token);
        showSuccess('This address is yours again');
        chooseNewPassword(resetToken);
      }}
      errorTitle="Not undone"
      invalidText="The change was undone already, or it is more than 48 hours old. If you can’t sign in, choose a new password or ask the person who runs this album."
    />
  );
}
