import { useLocation } from 'wouter';
import { paths } from '../../lib/paths.ts';
import { Button } from '../../ui/button.tsx';
import { showFailure } from '../../ui/show-failure.ts';
import { showToast } from '../../ui/toast-store.ts';
import { useLogout } from './session-api.ts';

/** Ends the session here. */
export function LogoutButton() {
  return <EndingButton name="Logout" isEverywhere={false} said="You've been signed out successfully." />;
}

/** Ends every session of the account. */
export function LogoutEverywhereButton() {
  return <EndingButton name="Sign out everywhere" isEverywhere said="You've been signed out everywhere." />;
}

interface EndingButtonProps {
  name: string;
  isEverywhere: boolean;
  /** Afterwards. */
  said: string;
}

function EndingButton({ name, isEverywhere, said }: EndingButtonProps) {
  const [, navigate] = useLocation();
  const logout = useLogout({
    isEverywhere,
    onSignedOut: () => {
      navigate(paths.home);
      showToast({ title: 'Signed out', description: said, variant: 'success', isUrgent: true });
    },
  });
  const signOut = () => logout.mutate(undefined, { onError: (error) => showFailure(error, 'Logout failed') });
  return (
    <Button variant="secondary" onClick={signOut} isPending={logout.isPending} pendingText="Logging out...">
      {name}
    </Button>
  );
}
