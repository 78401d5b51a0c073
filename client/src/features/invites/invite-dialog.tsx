import { zodResolver } from '@hookform/resolvers/zod';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { CreateInviteRequest, type CreatedInvite } from '#shared/invite';
import { formatLongDate } from '../../lib/dates.ts';
import { bindFields, showFieldErrors } from '../../lib/form-fields.ts';
import { Button } from '../../ui/button.tsx';
import { CopyableLink } from '../../ui/copyable-link.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { EmailField } from '../../ui/field.tsx';
import { showError } from '../../ui/show-error.ts';
import { useCreateInvite } from './invite-api.ts';

interface InviteDialogProps {
  isOpen: boolean;
  onClose: () => void;
}

/** Creates an invitation and then shows its link. Each opening needs a new key. */
export function InviteDialog({ isOpen, onClose }: InviteDialogProps) {
  const [created, setCreated] = useState<CreatedInvite | null>(null);
  return (
    <Dialog
      isOpen={isOpen}
      onClose={onClose}
      title={created ? 'The invitation is ready' : 'Invite someone'}
      className="sm:max-w-lg"
    >
      {created ? (
        <CreatedLink invite={created} onDone={onClose} />
      ) : (
        <InviteForm onCreated={setCreated} onCancel={onClose} />
      )}
    </Dialog>
  );
}

interface InviteFormProps {
  onCreated: (invite: CreatedInvite) => void;
  onCancel: () => void;
}

function InviteForm({ onCreated, onCancel }: InviteFormProps) {
  const { mutateAsync: create } = useCreateInvite();
  const form = useForm<CreateInviteRequest>({
    resolver: zodResolver(CreateInviteRequest),
    defaultValues: { email: '' },
  });
  const { isSubmitting } = form.formState;
  const submit = form.handleSubmit(async ({ email }) => {
    try {
      onCreated(await create(email ? { email } : {}));
    } catch (error) {
      showFieldErrors(error, form);
      showError(error, 'No invitation made', 'Please check your connection and try again.');
    }
  });
  return (
    <form onSubmit={(event) => void submit(event)} noValidate className="mt-3 space-y-5">
      <p className="text-muted">
        They get their own album. With an email address we send them the invitation, and only that address can
        use it. Without one you get a link to pass on.
      </p>
      <EmailField note="optional" autoComplete="off" {...bindFields(form)('email')} />
      <div className="flex flex-col-reverse gap-3 pt-2 sm:flex-row sm:justify-end">
        <Button variant="secondary" onClick={() => !isSubmitting && onCancel()}>
          Cancel
        </Button>
        <Button type="submit" isPending={isSubmitting} pendingText="Making it...">
          Create invitation
        </Button>
      </div>
    </form>
  );
}

interface CreatedLinkProps {
  invite: CreatedInvite;
  onDone: () => void;
}

function CreatedLink({ invite: { email, url, expiresAt, isEmailed }, onDone }: CreatedLinkProps) {
  return (
    <div className="mt-3 space-y-5">
      <p role="status" className="wrap-anywhere text-muted">
        {describeDelivery(email, isEmailed)} The link works once, until {formatLongDate(expiresAt)}.
      </p>
      <CopyableLink label="Invitation link" url={url} />
      <Button variant="secondary" onClick={onDone} className="max-sm:w-full">
        Done
      </Button>
    </div>
  );
}

function describeDelivery(email: string | null, isEmailed: boolean): string {
  if (email === null) return 'Pass this link on to the person you want to invite.';
  return isEmailed
    ? `We have emailed an invitation to ${email}. You can also pass this link on yourself.`
    : `It was not emailed. Please pass this link on to ${email} yourself.`;
}
