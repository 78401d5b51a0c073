import type { Invitation } from '#shared/accounts/invitation';
import { formatLongDate } from '../../lib/dates.ts';
import { Button } from '../../ui/buttons/button.tsx';
import { copyLink } from '../../ui/links/copy-link.ts';
import { useConfirm } from '../../ui/dialogs/use-confirm.tsx';
import { LoadError } from '../../ui/error-notice.tsx';
import { CHECK_CONNECTION } from '../../ui/toasts/show-error.ts';
import { showToast } from '../../ui/toasts/toast-store.ts';
import { useInvitations, useRevokeInvitation } from './invitation-api.ts';

/** Renders nothing without open invitations. */
export function InvitationList() {
  const { data: invitations, isError, isFetching, refetch } = useInvitations();
  if (!invitations && !isError) return null;
  if (invitations?.length === 0) return null;
  return (
    <section aria-labelledby="invitations" className="mt-16">
      <h2 id="invitations" className="mb-5 text-title">
        Open invitations
      </h2>
      {invitations ? (
        <ul className="divide-y divide-hairline border-y border-hairline">
          {invitations.map((invitation) => (
            <InvitationRow key={invitation.id} invitation={invitation} />
          ))}
        </ul>
      ) : (
        <LoadError what="The open invitations" onRetry={refetch} isRetrying={isFetching} />
      )}
    </section>
  );
}

function InvitationRow({ invitation }: { invitation: Invitation }) {
  const confirmRevoke = useConfirmRevoke();
  const { email, createdBy, expiresAt, url } = invitation;
  const name = email ?? 'anyone with the link';
  return (
    <li
      tabIndex={-1}
      className="flex flex-wrap items-center justify-between gap-x-6 gap-y-1 py-4 outline-none"
    >
      <div className="min-w-0 flex-1 max-sm:basis-full">
        <h3 className="font-sans text-body font-semibold tracking-normal wrap-anywhere">
          {email ?? 'Anyone with the link'}
        </h3>
        <p className="text-small wrap-anywhere text-muted">
          Invited by <bdi>{createdBy}</bdi> · works once, until{' '}
          <time dateTime={expiresAt}>{formatLongDate(expiresAt)}</time>
        </p>
      </div>
      <div className="-mx-2 flex gap-x-2">
        <Button
          variant="quiet"
          size="small"
          aria-label={`Copy link for ${name}`}
          onClick={() => void copyLink(url)}
        >
          Copy link
        </Button>
        <Button
          variant="quiet"
          size="small"
          aria-label={`Revoke the invitation for ${name}`}
          onClick={() => confirmRevoke(invitation)}
        >
          Revoke
        </Button>
      </div>
    </li>
  );
}

function useConfirmRevoke() {
  const confirm = useConfirm();
  const { mutateAsync: revoke } = useRevokeInvitation();
  return ({ id, email }: Invitation) =>
    void confirm({
      title: 'Revoke this invitation?',
      description: email
        ? `The link that was made for ${email} will stop working.`
        : 'The link will stop working. You can make a new one at any time.',
      confirmText: 'Revoke',
      pendingText: 'Revoking...',
      errorToast: ['Not revoked', CHECK_CONNECTION],
      onConfirm: async () => {
        await revoke(id);
        showToast({ title: 'Invitation revoked' });
      },
    });
}
