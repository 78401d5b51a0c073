import { useCallback, useRef, useState, type ReactNode } from 'react';
import { ConfirmIdentityRequest } from '#shared/accounts/session';
import { apiPostEmpty } from '../../lib/api/api-client.ts';
import { CancelledError } from '../../lib/api/cancelled-error.ts';
import { useZodForm } from '../../lib/use-zod-form.ts';
import { Dialog } from '../../ui/dialogs/dialog.tsx';
import { TextField } from '../../ui/forms/field.tsx';
import { Form, SubmitButton } from '../../ui/forms/form.tsx';
import { PasskeyConfirmation } from '../passkeys/passkey-confirmation.tsx';
import { useUser } from '../users/current-user.ts';
import { ConfirmIdentityContext } from '../users/use-confirmed-identity.ts';
import { HiddenUsername } from '../users/user-fields.tsx';

interface Pending {
  promise: Promise<void>;
  resolve: () => void;
  reject: (error: Error) => void;
}

/** Around the pages with changes that may ask for the password again. */
export function ConfirmIdentityProvider({ children }: { children: ReactNode }) {
  const [isOpen, setOpen] = useState(false);
  const pending = useRef<Pending | null>(null);
  const confirm = useCallback(() => {
    pending.current ??= withResolvers();
    setOpen(true);
    return pending.current.promise;
  }, []);
  const settle = (error?: Error) => {
    if (error) pending.current?.reject(error);
    else pending.current?.resolve();
    pending.current = null;
    setOpen(false);
  };
  return (
    <ConfirmIdentityContext value={confirm}>
      {children}
      <Dialog
        isOpen={isOpen}
        onClose={() => settle(new CancelledError('Not confirmed'))}
        title="Is it you?"
        description="You signed in a while ago. Please enter your password to make this change."
        className="sm:max-w-md"
        isOnTop
      >
        <PasswordConfirmation onConfirmed={() => settle()} />
      </Dialog>
    </ConfirmIdentityContext>
  );
}

function PasswordConfirmation({ onConfirmed }: { onConfirmed: () => void }) {
  const { data: user } = useUser();
  const { form, field } = useZodForm(ConfirmIdentityRequest, { password: '' });
  const confirm = async (request: ConfirmIdentityRequest) => {
    await apiPostEmpty('/api/session/proof', request);
    onConfirmed();
  };
  return (
    <Form
      form={form}
      onSubmit={confirm}
      errorToast={['Not confirmed']}
      isFieldErrorEnough
      className="mt-5 space-y-5"
    >
      <HiddenUsername email={user?.email} />
      <TextField label="Password" type="password" autoComplete="current-password" {...field('password')} />
      <SubmitButton className="w-full" pendingText="Checking...">
        Continue
      </SubmitButton>
      <PasskeyConfirmation onConfirmed={onConfirmed} />
    </Form>
  );
}

function withResolvers(): Pending {
  let resolve!: () => void;
  let reject!: (error: Error) => void;
  const promise = new Promise<void>((onResolve, onReject) => {
    resolve = onResolve;
    reject = onReject;
  });
  return { promise, resolve, reject };
}
