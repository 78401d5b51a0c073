import type { AdminUser, UpdateAdminUserRequest } from '#shared/admin';
import { showError } from '../../ui/show-error.ts';
import { showToast } from '../../ui/toast-store.ts';
import { useConfirm } from '../../ui/use-confirm.tsx';
import { useUpdateAdminUser } from './admin-api.ts';
import { personName } from './admin-user-text.ts';

type DirectAct = 'make-admin' | 'remove-admin' | 'disable' | 'enable';
/** Each of these opens its own dialog. */
export type DialogAct = 'create-reset-link' | 'change-storage-limit' | 'delete';
export type AdminAct = DirectAct | DialogAct;

const CHANGES: Record<DirectAct, UpdateAdminUserRequest> = {
  'make-admin': { isAdmin: true },
  'remove-admin': { isAdmin: false },
  disable: { isDisabled: true },
  enable: { isDisabled: false },
};

export function isDialogAct(act: AdminAct): act is DialogAct {
  return !(act in CHANGES);
}

const ERROR = ['Not changed', 'Please check your connection and try again.'] as const;

/** @returns a function that changes an account, after a confirmation if someone loses something by it */
export function useAdminActs(ownId: string) {
  const confirm = useConfirm();
  const { mutateAsync: update } = useUpdateAdminUser();
  return async (act: DirectAct, user: AdminUser): Promise<void> => {
    const name = personName(user);
    const change = async () => {
      await update({ id: user.id, changes: CHANGES[act] });
      showToast({ title: doneText(act, name), variant: 'success' });
    };
    if (act === 'disable') {
      await confirm({
        title: `Disable ${name}?`,
        description:
          'They are signed out at once and can’t sign in, and photos they text or email are refused. Everything in their album stays.',
        confirmText: 'Disable',
        pendingText: 'Disabling...',
        errorToast: ERROR,
        onConfirm: change,
      });
    } else if (act === 'remove-admin' && user.id === ownId) {
      await confirm({
        title: 'Stop being an administrator?',
        description: 'You will no longer see this page. Another administrator can bring you back.',
        confirmText: 'Stop',
        pendingText: 'Saving...',
        errorToast: ERROR,
        onConfirm: change,
      });
    } else {
      await change().catch((error: unknown) => showError(error, ...ERROR));
    }
  };
}

function doneText(act: DirectAct, name: string): string {
  switch (act) {
    case 'make-admin':
      return `${name} is now an administrator`;
    case 'remove-admin':
      return `${name} is no longer an administrator`;
    case 'disable':
      return `${name} is disabled`;
    case 'enable':
      return `${name} can sign in again`;
  }
}
