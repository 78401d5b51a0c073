import { EmailedLinkPage } from '../../features/users/emailed-link-page.tsx';
import { useChooseNewPassword } from '../../features/users/use-emailed-token.ts';
import { useSecureAccount } from '../../features/users/user-api.ts';
import { showSuccess } from '../../ui/toasts/toast-store.ts';

export function SecureAccountPage() {
  const { mutateAsync: secure } = useSecureAccount();
  const chooseNewPassword = useChooseNewPassword();
  return (
    <EmailedLinkPage
      pageTitle="Sign out every device"
      question={{
        title: 'This was not you?',
        text: 'Sign out every device, and then choose a new password: the old one will no longer work. Passkeys, connected sign-ins and an authenticator app set up in the last days will be removed.',
      }}
      button={{ children: 'Sign out every device', pendingText: 'Signing out...' }}
      onConfirm={async (token) => {
        const { resetToken } = await secure(token);
        showSuccess('Every device is signed out');
        chooseNewPassword(resetToken);
      }}
      errorTitle="Not signed out"
      invalidText="It was used already, or it is more than 48 hours old. A new password signs out every device, too."
    />
  );
}
