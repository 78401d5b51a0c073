import type { AdminUser, UpdateAdminUserRequest } from '#shared/accounts/admin';
import { CHECK_CONNECTION, showError } from '../../ui/toasts/show-error.ts';
import type { Question } from '../../ui/dialogs/confirm-provider.tsx';
import { showSuccess } from '../../ui/toasts/toast-store.ts';
import { useConfirm } from '../../ui/dialogs/use-confirm.tsx';
import { useConfirmedIdentity } from '../users/use-confirmed-identity.ts';
import { useTurnTotpOffAsAdmin, useUpdateAdminUser } from './admin-api.ts';
import { personName } from './admin-user-text.ts';

export interface AdminFormProps {
  user: AdminUser;
  onClose: () => void;
}

type DirectAct = 'make-admin' | 'remove-admin' | 'disable' | 'enable' | 'turn-totp-off' | 'bring-back';
/** Each of these opens its own dialog. */
export type DialogAct = 'create-reset-link' | 'change-storage-limit' | 'delete';
export type AdminAct = DirectAct | DialogAct;

const CHANGES: Record<Exclude<DirectAct, 'turn-totp-off'>, UpdateAdminUserRequest> = {
  'make-admin': { isAdmin: true },
  'remove-admin': { isAdmin: false },
  disable: { isDisabled: true },
  enable: { isDisabled: false },
  'bring-back': { isAsleep: false },
};

export function isDialogAct(act: AdminAct): act is DialogAct {
  return act !== 'turn-totp-off' && !(act in CHANGES);
}

const ERROR = ['Not changed', CHECK_CONNECTION] as const;

/** @returns a function that changes an account, after a confirmation if someone loses something by it */
export function useAdminActs(ownId: string) {
  const confirm = useConfirm();
  const withConfirmedIdentity = useConfirmedIdentity();
  const { mutateAsync: update } = useUpdateAdminUser();
  const { mutateAsync: turnTotpOff } = useTurnTotpOffAsAdmin();
  return async (act: DirectAct, user: AdminUser): Promise<void> => {
    const name = personName(user);
    const change = async () => {
      await withConfirmedIdentity<unknown>(() =>
        act === 'turn-totp-off' ? turnTotpOff(user.id) : update({ id: user.id, changes: CHANGES[act] }),
      );
      showSuccess(doneText(act, name));
    };
    const question = toQuestion(act, name, user.id === ownId);
    if (question) await confirm({ ...question, errorToast: ERROR, onConfirm: change });
    else await change().catch((error: unknown) => showError(error, ...ERROR));
  };
}

/** Null if no one loses anything. */
function toQuestion(
  act: DirectAct,
  name: string,
  isSelf: boolean,
): Omit<Question, 'errorToast' | 'onConfirm'> | null {
  switch (act) {
    case 'turn-totp-off':
      return {
        title: `Turn off the authenticator app of ${name}?`,
        description:
          'For someone who lost the phone and the recovery codes. Make sure that it is really them who asks: their password alone will open their album. They get an email about it.',
        confirmText: 'Turn off',
        pendingText: 'Turning off...',
      };
    case 'disable':
      return {
        title: `Disable ${name}?`,
        description:
          'They are signed out at once and can’t sign in, and photos they text or email are rejected. Everything in their album stays.',
        confirmText: 'Disable',
        pendingText: 'Disabling...',
      };
    case 'make-admin':
      return {
        title: `Make ${name} an administrator?`,
        description:
          'They can then invite and disable people, delete accounts, and take this role away from you. They see no one’s photos.',
        confirmText: 'Make administrator',
        pendingText: 'Saving...',
        isDestructive: false,
      };
    case 'remove-admin':
      if (!isSelf) return null;
      return {
        title: 'Stop being an administrator?',
        description: 'You will no longer see this page. Another administrator can bring you back.',
        confirmText: 'Stop',
        pendingText: 'Saving...',
      };
    case 'enable':
    case 'bring-back':
      return null;
  }
}

function doneText(act: DirectAct, name: string): string {
  switch (act) {
    case 'turn-totp-off':
      return `${name} can sign in without a code`;
    case 'make-admin':
      return `${name} is now an administrator`;
    case 'remove-admin':
      return `${name} is no longer an administrator`;
    case 'disable':
      return `${name} is disabled`;
    case 'enable':
      return `${name} can sign in again`;
    case 'bring-back':
      return `${name}’s account is back`;
  }
}
