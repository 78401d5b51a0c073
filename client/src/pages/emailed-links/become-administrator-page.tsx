import { Link, Redirect, useLocation } from 'wouter';
import type { User } from '#shared/accounts/user';
import { useBecomeAdministrator, useInvitationPreview } from '../../features/invitations/invitation-api.ts';
import { isNotFound, UNREACHABLE } from '../../lib/api/api-client.ts';
import { paths } from '../../lib/routing/paths.ts';
import { usePageTitle } from '../../lib/routing/use-page-title.ts';
import { Button, buttonClasses } from '../../ui/buttons/button.tsx';
import { ErrorNotice } from '../../ui/error-notice.tsx';
import { LoadingScreen } from '../../ui/loading/loading-screen.tsx';
import { MessagePage } from '../../ui/message-page.tsx';
import { CHECK_CONNECTION, showError } from '../../ui/toasts/show-error.ts';
import { showSuccess } from '../../ui/toasts/toast-store.ts';

/** For the link that the start prints. Other invitations are of no use to someone with an account. */
export function BecomeAdministratorPage({ user, token }: { user: User; token: string }) {
  usePageTitle('Become the administrator');
  const { data: invitation, error, isFetching, refetch } = useInvitationPreview(token);
  const { mutateAsync: become, isPending } = useBecomeAdministrator();
  const [, navigate] = useLocation();
  if (isNotFound(error) || invitation?.isForAdministrator === false)
    return <Redirect to={paths.home} replace />;
  if (error) {
    return (
      <MessagePage title="You are not the administrator yet">
        <ErrorNotice onRetry={() => void refetch()} isRetrying={isFetching}>
          {UNREACHABLE}
        </ErrorNotice>
      </MessagePage>
    );
  }
  if (!invitation) return <LoadingScreen isPage />;
  const confirm = async () => {
    try {
      await become({ invitationToken: token });
    } catch (failure) {
      showError(failure, 'Nothing was changed', CHECK_CONNECTION);
      return;
    }
    showSuccess('You are the administrator');
    navigate(paths.admin, { replace: true });
  };
  return (
    <MessagePage title="Become the administrator?" takesFocus>
      <p className="text-lead wrap-anywhere text-muted">
        <bdi className="font-semibold text-ink">{user.email}</bdi> can then invite people and manage their
        accounts. The link works only once.
      </p>
      <div className="flex w-full flex-col gap-3 sm:flex-row">
        <Button onClick={() => void confirm()} isPending={isPending} pendingText="One moment...">
          Become the administrator
        </Button>
        <Link href={paths.home} replace className={buttonClasses({ variant: 'secondary' })}>
          Not now
        </Link>
      </div>
    </MessagePage>
  );
}
