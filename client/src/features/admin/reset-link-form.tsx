import { useForm } from 'react-hook-form';
import { Button } from '../../ui/buttons/button.tsx';
import { CopyableLink } from '../../ui/links/copyable-link.tsx';
import { DialogForm } from '../../ui/dialogs/dialog-form.tsx';
import { useConfirmedIdentity } from '../users/use-confirmed-identity.ts';
import { useCreateResetLink } from './admin-api.ts';
import type { AdminFormProps } from './use-admin-acts.ts';
import { personName } from './admin-user-text.ts';

/** The request is sent on a click: opening the dialog creates no link. */
export function ResetLinkForm({ user, onClose }: AdminFormProps) {
  const { mutateAsync: create, data: link } = useCreateResetLink();
  const withConfirmedIdentity = useConfirmedIdentity();
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
      onSubmit={() => withConfirmedIdentity(() => create(user.id))}
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
