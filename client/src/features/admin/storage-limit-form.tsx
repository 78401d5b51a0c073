import * as z from 'zod/mini';
import { formatBytes } from '../../lib/format-bytes.ts';
import { useZodForm } from '../../lib/use-zod-form.ts';
import { DialogForm } from '../../ui/dialogs/dialog-form.tsx';
import { TextField } from '../../ui/forms/field.tsx';
import { showSuccess } from '../../ui/toasts/toast-store.ts';
import { useUpdateAdminUser } from './admin-api.ts';
import type { AdminFormProps } from './use-admin-acts.ts';
import { GIGABYTE, personName } from './admin-user-text.ts';

const GIGABYTES = { error: 'Please enter a number of GB, like 5 or 0.5' };

/** Empty for the limit of everyone. */
const StorageLimitValues = z.object({
  gigabytes: z.string().check(z.trim(), z.regex(/^(\d{1,6}([.,]\d{1,6})?)?$/, GIGABYTES)),
});

export function StorageLimitForm({ user, onClose }: AdminFormProps) {
  const { mutateAsync: update } = useUpdateAdminUser();
  const gigabytes = `${Number((user.storageLimitBytes / GIGABYTE).toPrecision(6))}`;
  const { form, field } = useZodForm(StorageLimitValues, {
    gigabytes: user.hasOwnStorageLimit ? gigabytes : '',
  });
  const save = async ({ gigabytes }: z.infer<typeof StorageLimitValues>) => {
    await update({ id: user.id, changes: { storageLimitBytes: toBytes(gigabytes) } });
    showSuccess('Storage limit saved');
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
