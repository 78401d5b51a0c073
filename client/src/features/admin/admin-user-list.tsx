import {
  Ban,
  CircleCheck,
  HardDrive,
  KeyRound,
  ShieldCheck,
  ShieldOff,
  Smartphone,
  Sunrise,
  Trash2,
} from 'lucide-react';
import type { ReactNode } from 'react';
import {
  ADMIN_ASLEEP,
  EMAIL_NOT_VERIFIED,
  LAST_ADMIN,
  NO_LINK_FOR_ADMIN,
  type AdminUser,
} from '#shared/accounts/admin';
import { formatShortDate } from '../../lib/dates.ts';
import { Badge } from '../../ui/badge.tsx';
import { Menu } from '../../ui/menus/menu.tsx';
import type { MenuItem } from '../../ui/menus/menu-item.ts';
import { formatLastSeen, formatStorage, personName } from './admin-user-text.ts';
import type { AdminAct } from './use-admin-acts.ts';

export function adminUserRowId({ id }: Pick<AdminUser, 'id'>): string {
  return `user-${id}`;
}

interface AdminUserListProps {
  users: AdminUser[];
  ownId: string;
  onAct: (act: AdminAct, user: AdminUser) => void;
}

export function AdminUserList({ users, ownId, onAct }: AdminUserListProps) {
  return (
    <ul aria-label="People" className="divide-y divide-hairline border-y border-hairline">
      {users.map((user) => (
        <li
          key={user.id}
          id={adminUserRowId(user)}
          tabIndex={-1}
          className="flex items-start gap-x-3 py-5 outline-none sm:py-6"
        >
          <AdminUserRow user={user} isOwn={user.id === ownId} />
          <Menu
            label={`Manage ${personName(user)}`}
            className="-mt-2 -mr-2.5"
            items={menuItems(user, (act) => onAct(act, user))}
          />
        </li>
      ))}
    </ul>
  );
}

/** On wide screens in two columns, like the lines of a guest book. */
function AdminUserRow({ user, isOwn }: { user: AdminUser; isOwn: boolean }) {
  const name = personName(user);
  return (
    <div className="grid min-w-0 flex-1 gap-x-8 gap-y-1 sm:grid-cols-[minmax(0,1fr)_12rem]">
      <div className="min-w-0">
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <h2 className="max-w-full text-lead wrap-anywhere">
            <bdi>{name}</bdi>
          </h2>
          {isOwn && <Badge>You</Badge>}
          {!user.emailVerified && <Badge>Email not verified</Badge>}
          {user.isAdmin && <Badge tone="sage">Administrator</Badge>}
          {user.isDisabled && <Badge tone="danger">Disabled</Badge>}
          {user.deletionDueAt && (
            <Badge tone="danger">Asleep until {formatShortDate(user.deletionDueAt)}</Badge>
          )}
        </div>
        <p className="mt-1 text-small wrap-anywhere text-muted">
          {user.email}
          {name !== user.username && (
            <>
              {' '}
              · <bdi className="inline-block">{user.username}</bdi>
            </>
          )}
        </p>
      </div>
      <p className="text-small text-muted tabular-nums sm:pt-1">
        <Line>{formatLastSeen(user.lastSeenAt)}</Line>
        <span aria-hidden className="sm:hidden">
          {' · '}
        </span>
        <Line>{formatStorage(user)}</Line>
      </p>
    </div>
  );
}

function Line({ children }: { children: ReactNode }) {
  return <span className="whitespace-nowrap sm:block">{children} </span>;
}

function menuItems(user: AdminUser, onAct: (act: AdminAct) => void): MenuItem[] {
  const disabledReason = user.isLastAdmin ? LAST_ADMIN : undefined;
  const asleepReason = user.deletionDueAt ? ADMIN_ASLEEP : undefined;
  const notAdminReason = user.emailVerified ? asleepReason : EMAIL_NOT_VERIFIED;
  const noLinkReason = user.isAdmin ? NO_LINK_FOR_ADMIN : undefined;
  const item = (act: AdminAct, name: string, Icon: MenuItem['Icon']): MenuItem => ({
    name,
    Icon,
    onChoose: () => onAct(act),
  });
  return [
    { ...item('create-reset-link', 'New password link', KeyRound), disabledReason: noLinkReason },
    ...(user.isTotpOn ? [item('turn-totp-off', 'Turn off authenticator app', Smartphone)] : []),
    item('change-storage-limit', 'Storage limit', HardDrive),
    user.isAdmin
      ? { ...item('remove-admin', 'Remove as administrator', ShieldOff), disabledReason }
      : { ...item('make-admin', 'Make administrator', ShieldCheck), disabledReason: notAdminReason },
    user.isDisabled
      ? item('enable', 'Enable account', CircleCheck)
      : { ...item('disable', 'Disable account', Ban), disabledReason },
    user.deletionDueAt
      ? item('bring-back', 'Bring account back', Sunrise)
      : { ...item('delete', 'Delete account', Trash2), isDanger: true, disabledReason },
  ];
}
