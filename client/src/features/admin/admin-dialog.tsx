import type { ReactNode } from 'react';
import { Dialog } from '../../ui/dialogs/dialog.tsx';
import { personName } from './admin-user-text.ts';
import { DeleteUserForm } from './delete-user-form.tsx';
import { ResetLinkForm } from './reset-link-form.tsx';
import { StorageLimitForm } from './storage-limit-form.tsx';
import type { AdminFormProps, DialogAct } from './use-admin-acts.ts';

/** Each opening needs a new key. */
export function AdminDialog({ act, isOpen, ...props }: AdminFormProps & { act: DialogAct; isOpen: boolean }) {
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

const DIALOGS: Record<
  DialogAct,
  { title: (name: string) => string; Content: (props: AdminFormProps) => ReactNode }
> = {
  'create-reset-link': { title: () => 'New password link', Content: ResetLinkForm },
  'change-storage-limit': { title: () => 'Storage limit', Content: StorageLimitForm },
  delete: { title: (name) => `Delete ${name}’s account?`, Content: DeleteUserForm },
};
