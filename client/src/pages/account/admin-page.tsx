import { useQueryClient } from '@tanstack/react-query';
import { UserRoundPlus } from 'lucide-react';
import { useState } from 'react';
import type { AdminUser } from '#shared/accounts/admin';
import type { User } from '#shared/accounts/user';
import { AdminDialog } from '../../features/admin/admin-dialog.tsx';
import { AdminUserList, adminUserRowId } from '../../features/admin/admin-user-list.tsx';
import { formatLastBackup } from '../../features/admin/admin-user-text.ts';
import { useAdminUsers, useAdminWarnings, useBackupState } from '../../features/admin/admin-api.ts';
import { isDialogAct, useAdminActs, type DialogAct } from '../../features/admin/use-admin-acts.ts';
import { ConfirmIdentityProvider } from '../../features/sessions/confirm-identity.tsx';
import { userQuery } from '../../features/users/current-user.ts';
import { InvitationDialog } from '../../features/invitations/invitation-dialog.tsx';
import { InvitationList } from '../../features/invitations/invitation-list.tsx';
import { isForbidden } from '../../lib/api/api-client.ts';
import { useOnTrue } from '../../lib/use-on-true.ts';
import { usePageTitle } from '../../lib/routing/use-page-title.ts';
import { Button } from '../../ui/buttons/button.tsx';
import { LoadError } from '../../ui/error-notice.tsx';
import { SearchField } from '../../ui/forms/search-field.tsx';
import { ShowMore } from '../../ui/show-more.tsx';
import { ListSkeleton } from '../../ui/loading/skeleton.tsx';

const MAX_SEARCH_LENGTH = 254;
/** Fewer people are found faster by eye. */
const MIN_SEARCHABLE = 10;

/** Mounted until its closing animation ends. */
interface OpenDialog {
  isOpen: boolean;
  /** Each opening mounts a new dialog. */
  key: number;
}

export function AdminPage({ user }: { user: User }) {
  usePageTitle('People');
  const [inviting, setInviting] = useState<OpenDialog>({ isOpen: false, key: 0 });
  const invite = () => setInviting(({ key }) => ({ isOpen: true, key: key + 1 }));
  return (
    <div className="mx-auto max-w-4xl px-5 pt-8 pb-24 sm:px-8 sm:pt-14">
      <header className="mb-8 flex flex-wrap items-end justify-between gap-6 sm:mb-10">
        <h1 className="text-display">People</h1>
        <Button data-focus-fallback="" onClick={invite} className="w-full sm:w-auto">
          <UserRoundPlus />
          Invite someone
        </Button>
      </header>
      <p className="mb-8 max-w-2xl text-pretty text-muted">
        Everyone who keeps an album here. You look after their accounts, never their photos.
        <BackupLine />
      </p>
      <Warnings />
      <ConfirmIdentityProvider>
        <People user={user} onInvite={invite} />
      </ConfirmIdentityProvider>
      <InvitationList />
      <InvitationDialog
        key={inviting.key}
        isOpen={inviting.isOpen}
        onClose={() => setInviting({ ...inviting, isOpen: false })}
      />
    </div>
  );
}

function Warnings() {
  const { data: warnings = [] } = useAdminWarnings();
  if (warnings.length === 0) return null;
  return (
    <ul className="-mt-4 mb-8 max-w-2xl space-y-2 text-small text-danger">
      {warnings.map((warning) => (
        <li key={warning} className="wrap-anywhere">
          {warning}
        </li>
      ))}
    </ul>
  );
}

function People({ user, onInvite }: { user: User; onInvite: () => void }) {
  const [search, setSearch] = useState('');
  const query = useAdminUsers(search);
  const { data: people, isPending, isFetching, isPlaceholderData, refetch, ...pages } = query;
  const queryClient = useQueryClient();
  // No longer an administrator.
  useOnTrue(isForbidden(query.error), () => void queryClient.invalidateQueries(userQuery));
  const [dialog, setDialog] = useState<(OpenDialog & { act: DialogAct; user: AdminUser }) | null>(null);
  const act = useAdminActs(user.id);
  if (isPending) return <ListSkeleton label="Loading the people" />;
  if (!people) {
    return <LoadError what="The people" onRetry={refetch} isRetrying={isFetching} />;
  }
  return (
    <>
      {(search !== '' || isPlaceholderData || people.length >= MIN_SEARCHABLE) && (
        <SearchField
          label="Search by username or email"
          maxLength={MAX_SEARCH_LENGTH}
          q={search}
          onSearch={setSearch}
          className="mb-6 sm:max-w-md"
        />
      )}
      {people.length > 0 ? (
        <AdminUserList
          users={people}
          ownId={user.id}
          onAct={(name, person) => {
            if (isDialogAct(name)) {
              setDialog({ act: name, user: person, isOpen: true, key: (dialog?.key ?? 0) + 1 });
            } else {
              void act(name, person);
            }
          }}
        />
      ) : (
        <p role="status" className="border-y border-hairline py-10 text-center text-muted">
          No one has a username or email like that.
        </p>
      )}
      <ShowMore
        pages={pages}
        rowIds={people.map(adminUserRowId)}
        errorText="The rest of the people could not be loaded."
      />
      {search === '' && !isPlaceholderData && people.length === 1 && <OnlyYou onInvite={onInvite} />}
      {dialog && (
        <AdminDialog
          key={dialog.key}
          act={dialog.act}
          user={dialog.user}
          isOpen={dialog.isOpen}
          onClose={() => setDialog({ ...dialog, isOpen: false })}
        />
      )}
    </>
  );
}

function OnlyYou({ onInvite }: { onInvite: () => void }) {
  return (
    <div className="flex flex-col items-center gap-5 py-14 text-center">
      <h2 className="text-title">Just you so far</h2>
      <p className="max-w-sm text-balance text-muted">
        Invite family and friends. Each of them gets an album of their own.
      </p>
      <Button variant="secondary" onClick={onInvite}>
        Invite the first one
      </Button>
    </div>
  );
}

/** Nothing if there are no nightly backups. */
function BackupLine() {
  const { data: backup } = useBackupState();
  if (!backup) return null;
  return (
    <span className="mt-2 block text-small">
      {backup.failure && (
        <span className="block wrap-anywhere text-danger">
          The nightly backup failed: {backup.failure.reason}
        </span>
      )}
      {formatLastBackup(backup)}
    </span>
  );
}
