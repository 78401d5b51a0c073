import * as z from 'zod/mini';
import { DELETION_DELAY_DAYS } from '#shared/accounts/user';
import { useZodForm } from '../../lib/use-zod-form.ts';
import { DialogForm } from '../../ui/dialogs/dialog-form.tsx';
import { showToast } from '../../ui/toasts/toast-store.ts';
import { UsernameField } from '../users/user-fields.tsx';
import { useDeleteAdminUser } from './admin-api.ts';
import type { AdminFormProps } from './use-admin-acts.ts';
import { personName } from './admin-user-text.ts';

export function DeleteUserForm({ user: { id, username, ...user }, onClose }: AdminFormProps) {
  const { mutateAsync: remove } = useDeleteAdminUser();
  const { form, field } = useZodForm(
    z.object({
      username: z.string().check(
        z.trim(),
        z.refine((typed) => typed === username, { error: 'This is not the username of this account' }),
      ),
    }),
    { username: '' },
  );
  const submit = async () => {
    await remove({ id, username });
    showToast({
      title: `${personName({ ...user, username })}’s account is asleep`,
      description: `It will be deleted in ${DELETION_DELAY_DAYS} days.`,
    });
    onClose();
  };
  return (
    <DialogForm
      form={form}
      onSubmit={submit}
      errorToast={['Not deleted']}
      action="Delete account"
      pendingText="Deleting..."
      isDestructive
      onCancel={onClose}
    >
      <p className="text-muted">
        Their album falls asleep at once: they are signed out, their shared links close, and photos they text
        or email are rejected. After {DELETION_DELAY_DAYS} days it is deleted, for good.
      </p>
      <p className="text-muted">
        We email them. Signing in before then brings everything back, unless you disable the account. To
        confirm, type the username: <strong className="wrap-anywhere text-ink">{username}</strong>
      </p>
      <UsernameField autoComplete="off" {...field('username')} />
    </DialogForm>
  );
}
