import { useLocation } from 'wouter';
import { paths } from '../../lib/routing/paths.ts';
import { Button } from '../../ui/buttons/button.tsx';
import { showError } from '../../ui/toasts/show-error.ts';
import { showToast } from '../../ui/toasts/toast-store.ts';
import { useLogout } from './sign-out-api.ts';

/** Ends this session, or every session of the user. */
export function LogoutButton({ isEverywhere = false }: { isEverywhere?: boolean }) {
  const [, navigate] = useLocation();
  const logout = useLogout(isEverywhere, () => {
    navigate(paths.home);
    showToast({
      title: 'Signed out',
      description: `You've been signed out ${isEverywhere ? 'everywhere' : 'successfully'}.`,
      variant: 'success',
      isUrgent: true,
    });
  });
  const signOut = () => logout.mutate(undefined, { onError: (error) => showError(error, 'Logout failed') });
  return (
    <Button variant="secondary" onClick={signOut} isPending={logout.isPending} pendingText="Logging out...">
      {isEverywhere ? 'Sign out everywhere' : 'Logout'}
    </Button>
  );
}
