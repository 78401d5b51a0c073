import { useState } from 'react';
import { CreateInvitationRequest, type CreatedInvitation } from '#shared/accounts/invitation';
import { formatLongDate } from '../../lib/dates.ts';
import { useZodForm } from '../../lib/use-zod-form.ts';
import { Button } from '../../ui/buttons/button.tsx';
import { CopyableLink } from '../../ui/links/copyable-link.tsx';
import { DialogForm } from '../../ui/dialogs/dialog-form.tsx';
import { Dialog } from '../../ui/dialogs/dialog.tsx';
import { EmailField } from '../../ui/forms/field.tsx';
import { NotSentNotice } from '../app-config/not-sent-notice.tsx';
import { useCreateInvitation } from './invitation-api.ts';

interface InvitationDialogProps {
  isOpen: boolean;
  onClose: () => void;
}

/** Creates an invitation and then shows its link. Each opening needs a new key. */
export function InvitationDialog({ isOpen, onClose }: InvitationDialogProps) {
  const [created, setCreated] = useState<CreatedInvitation | null>(null);
  return (
    <Dialog
      isOpen={isOpen}
      onClose={onClose}
      title={created ? 'The invitation is ready' : 'Invite someone'}
      className="sm:max-w-lg"
    >
      {created ? (
        <CreatedLink invitation={created} onDone={onClose} />
      ) : (
        <InvitationForm onCreated={setCreated} onCancel={onClose} />
      )}
    </Dialog>
  );
}

interface InvitationFormProps {
  onCreated: (invitation: CreatedInvitation) => void;
  onCancel: () => void;
}

function InvitationForm({ onCreated, onCancel }: InvitationFormProps) {
  const { mutateAsync: create } = useCreateInvitation();
  const { form, field } = useZodForm(CreateInvitationRequest, { email: '' });
  return (
    <DialogForm
      form={form}
      onSubmit={async ({ email }) => onCreated(await create(email ? { email } : {}))}
      errorToast={['No invitation made']}
      action="Create invitation"
      pendingText="Making it..."
      onCancel={onCancel}
    >
      <p className="text-muted">
        They get their own album. With an email address we send them the invitation, and only that address can
        use it. Without one you get a link to pass on.
      </p>
      <NotSentNotice kind="email" />
      <EmailField note="optional" autoComplete="off" {...field('email')} />
    </DialogForm>
  );
}

interface CreatedLinkProps {
  invitation: CreatedInvitation;
  onDone: () => void;
}

function CreatedLink({ invitation: { email, url, expiresAt, isEmailed }, onDone }: CreatedLinkProps) {
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
