import { useLocation } from 'wouter';
import { paths } from '../../lib/paths.ts';
import { Button } from '../../ui/button.tsx';
import { showToast } from '../../ui/toast-store.ts';
import { useLogout } from './session-api.ts';

export function LogoutButton() {
  const [, navigate] = useLocation();
  const logout = useLogout(() => {
    navigate(paths.home);
    showToast({
      title: 'Signed out',
      description: "You've been signed out successfully.",
      variant: 'success',
      isUrgent: true,
    });
  });
  const signOut = () =>
    logout.mutate(undefined, {
      onError: () => showToast({ title: 'Logout failed', variant: 'destructive' }),
    });
  return (
    <Button variant="secondary" onClick={signOut} isPending={logout.isPending} pendingText="Logging out...">
      Logout
    </Button>
  );
}
