import { CircleCheck } from 'lucide-react';
import { useRef, useState } from 'react';
import { ChangeEmailRequest, type User } from '#shared/accounts/user';
import { useZodForm } from '../../lib/use-zod-form.ts';
import { Button } from '../../ui/buttons/button.tsx';
import { EmailField } from '../../ui/forms/field.tsx';
import { CancelButton, Form, SubmitButton } from '../../ui/forms/form.tsx';
import { CHECK_CONNECTION, showError } from '../../ui/toasts/show-error.ts';
import { showSuccess } from '../../ui/toasts/toast-store.ts';
import { NotSentNotice } from '../app-config/not-sent-notice.tsx';
import { UnverifiedEmailNotice } from './unverified-email-notice.tsx';
import { useConfirmedIdentity } from './use-confirmed-identity.ts';
import { useCancelEmailChange, useChangeEmail, usePendingEmail } from './user-api.ts';

export function EmailSettings({ user }: { user: User }) {
  const [isEditing, setEditing] = useState(false);
  /** Receives the focus when the form or the notice is removed. */
  const address = useRef<HTMLParagraphElement>(null);
  const { data } = usePendingEmail();
  const close = () => {
    setEditing(false);
    address.current?.focus();
  };
  return (
    <>
      <p ref={address} tabIndex={-1} className="text-lead wrap-anywhere outline-none">
        {user.email}
      </p>
      {user.emailVerified && (
        <p className="mt-1 flex items-center gap-2 text-small text-sage">
          <CircleCheck className="size-4" />
          Confirmed
        </p>
      )}
      <UnverifiedEmailNotice user={user} className="mt-4" />
      {data?.pending && !isEditing && (
        <PendingEmail email={data.pending.email} onCancelled={() => address.current?.focus()} />
      )}
      {isEditing ? (
        <ChangeEmailForm onClose={close} />
      ) : (
        <Button variant="secondary" className="mt-4 max-sm:w-full" onClick={() => setEditing(true)}>
          {data?.pending ? 'Use another address' : 'Change email'}
        </Button>
      )}
    </>
  );
}

function ChangeEmailForm({ onClose }: { onClose: () => void }) {
  const { mutateAsync: change } = useChangeEmail();
  const withConfirmedIdentity = useConfirmedIdentity();
  const { form, field } = useZodForm(ChangeEmailRequest, { email: '' });
  const save = async (request: ChangeEmailRequest) => {
    await withConfirmedIdentity(() => change(request));
    showSuccess('Link sent', `Open it to confirm ${request.email}. It works for 24 hours.`);
    onClose();
  };
  return (
    <Form
      form={form}
      onSubmit={save}
      errorToast={['Email not changed']}
      isFieldErrorEnough
      className="mt-5 space-y-5"
    >
      <EmailField label="New email" autoFocus {...field('email')} />
      <p className="text-small text-muted">
        We send a link to the new address. Until you open it, everything stays as it is.
      </p>
      <NotSentNotice kind="email" />
      <div className="flex flex-col gap-3 sm:flex-row">
        <SubmitButton pendingText="Sending...">Send link</SubmitButton>
        <CancelButton onCancel={onClose} />
      </div>
    </Form>
  );
}

function PendingEmail({ email, onCancelled }: { email: string; onCancelled: () => void }) {
  const { mutate: cancel, isPending } = useCancelEmailChange();
  return (
    <aside
      aria-label="A new address waits for confirmation"
      className="mt-4 flex flex-col items-start gap-1 border-l-2 border-edge py-1 pl-5"
    >
      <p className="wrap-anywhere">
        <span className="font-semibold">Please confirm {email}.</span> We sent a link there. Until you open
        it, you sign in with the address above.
      </p>
      <Button
        variant="quiet"
        size="small"
        className="-ml-2"
        onClick={() =>
          cancel(undefined, {
            onSuccess: onCancelled,
            onError: (error) => showError(error, 'Not cancelled', CHECK_CONNECTION),
          })
        }
        isPending={isPending}
        pendingText="Cancelling..."
      >
        Keep the old address
      </Button>
    </aside>
  );
}
