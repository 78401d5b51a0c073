import type { ReactNode } from 'react';
import { useForm } from 'react-hook-form';
import * as z from 'zod/mini';
import type { AdminUser } from '#shared/admin';
import { DELETION_DELAY_DAYS } from '#shared/user';
import { formatBytes } from '../../lib/format-bytes.ts';
import { useZodForm } from '../../lib/use-zod-form.ts';
import { Button } from '../../ui/button.tsx';
import { CopyableLink } from '../../ui/copyable-link.tsx';
import { DialogForm } from '../../ui/dialog-form.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/field.tsx';
import { showToast } from '../../ui/toast-store.ts';
import { useConfirmedIdentity } from '../sessions/confirm-identity.tsx';
import { useCreateResetLink, useDeleteAdminUser, useUpdateAdminUser } from './admin-api.ts';
import { GIGABYTE, personName } from './admin-user-text.ts';
import type { DialogAct } from './use-admin-acts.ts';

interface AdminDialogProps {
  user: AdminUser;
  isOpen: boolean;
  onClose: () => void;
}

/** Each opening needs a new key. */
export function AdminDialog({ act, isOpen, ...props }: AdminDialogProps & { act: DialogAct }) {
  const { title, Content } = DIALOGS[act];
  return (
    <Dialog
      isOpen={isOpen}
      onClose={props.onClose}
      title={title(personName(props.user))}
      className="sm:max-w-lg"
    >
      <Content {...props} />
    </Dialog>
  );
}

type ContentProps = Omit<AdminDialogProps, 'isOpen'>;

const DIALOGS: Record<
  DialogAct,
  { title: (name: string) => string; Content: (props: ContentProps) => ReactNode }
> = {
  'create-reset-link': { title: () => 'New password link', Content: ResetLink },
  'change-storage-limit': { title: () => 'Storage limit', Content: StorageLimitForm },
  delete: { title: (name) => `Delete ${name}’s account?`, Content: DeleteForm },
};

/** The request is sent on a click: opening the dialog creates no link. */
function ResetLink({ user, onClose }: ContentProps) {
  const { mutateAsync: create, data: link } = useCreateResetLink();
  const withProof = useConfirmedIdentity();
  const form = useForm();
  const name = <bdi className="wrap-anywhere">{personName(user)}</bdi>;
  if (link) {
    return (
      <div className="mt-3 space-y-5">
        <p role="status" className="wrap-anywhere text-muted">
          {link.url === null ? (
            <>We have emailed the link to {user.email}. It works once, for one hour.</>
          ) : (
            <>Give this link to {name}, and to no one else. It works once, for one hour.</>
          )}
        </p>
        {link.url !== null && <CopyableLink label="New password link" url={link.url} />}
        <Button variant="secondary" autoFocus={link.url === null} onClick={onClose} className="max-sm:w-full">
          Done
        </Button>
      </div>
    );
  }
  return (
    <DialogForm
      form={form}
      onSubmit={() => withProof(() => create(user.id))}
      errorToast={['No link made']}
      action="Create link"
      pendingText="Making it..."
      onCancel={onClose}
    >
      <p className="text-muted">
        {name} gets an email with a link to choose a new password. If this album can’t send email, you get the
        link to hand over.
      </p>
    </DialogForm>
  );
}

const GIGABYTES = { error: 'Please enter a number of GB, like 5 or 0.5' };

/** Empty for the limit of everyone. */
const StorageLimitValues = z.object({
  gigabytes: z.string().check(z.trim(), z.regex(/^(\d{1,6}([.,]\d{1,6})?)?$/, GIGABYTES)),
});

function StorageLimitForm({ user, onClose }: ContentProps) {
  const { mutateAsync: update } = useUpdateAdminUser();
  const gigabytes = `${Number((user.storageLimitBytes / GIGABYTE).toPrecision(6))}`;
  const { form, field } = useZodForm(StorageLimitValues, {
    gigabytes: user.hasOwnStorageLimit ? gigabytes : '',
  });
  const save = async ({ gigabytes }: z.infer<typeof StorageLimitValues>) => {
    await update({ id: user.id, changes: { storageLimitBytes: toBytes(gigabytes) } });
    showToast({ title: 'Storage limit saved', variant: 'success' });
    onClose();
  };
  return (
    <DialogForm
      form={form}
      onSubmit={save}
      errorToast={['Not saved']}
      action="Save"
      pendingText="Saving..."
      onCancel={onClose}
    >
      <p className="text-muted">
        <bdi className="wrap-anywhere">{personName(user)}</bdi> uses {formatBytes(user.storageBytes)} now.
        Leave this empty for the same limit as everyone.
      </p>
      <TextField
        label="Limit"
        note="in GB"
        inputMode="decimal"
        autoComplete="off"
        {...(!user.hasOwnStorageLimit && { placeholder: gigabytes })}
        {...field('gigabytes')}
      />
    </DialogForm>
  );
}

function toBytes(gigabytes: string): number | null {
  return gigabytes === '' ? null : Math.round(Number(gigabytes.replace(',', '.')) * GIGABYTE);
}

function DeleteForm({ user: { id, username, ...user }, onClose }: ContentProps) {
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
        or email are refused. After {DELETION_DELAY_DAYS} days it is deleted, for good.
      </p>
      <p className="text-muted">
        We email them. Signing in before then brings everything back, unless you disable the account. To
        confirm, type the username: <strong className="wrap-anywhere text-ink">{username}</strong>
      </p>
      <TextField
        label="Username"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        {...field('username')}
      />
    </DialogForm>
  );
}
