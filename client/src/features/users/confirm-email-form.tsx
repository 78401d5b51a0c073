import * as z from 'zod/mini';
import { useZodForm } from '../../lib/use-zod-form.ts';
import { TextField } from '../../ui/forms/field.tsx';
import { Form, SubmitButton } from '../../ui/forms/form.tsx';
import { handleInvalidLink } from './use-emailed-token.ts';
import { useVerifyEmailWithPassword } from './user-api.ts';
import { HiddenUsername } from './user-fields.tsx';

interface ConfirmEmailFormProps {
  token: string;
  /** Of the account. */
  email: string | undefined;
  onConfirmed: () => void;
  onInvalidLink: () => void;
}

const Values = z.object({ password: z.string() });

/** For a browser without a session of the account. */
export function ConfirmEmailForm({ token, email, onConfirmed, onInvalidLink }: ConfirmEmailFormProps) {
  const { mutateAsync: verify } = useVerifyEmailWithPassword();
  const { form, field } = useZodForm(Values, { password: '' });
  const submit = async ({ password }: z.infer<typeof Values>) => {
    await verify({ token, password });
    onConfirmed();
  };
  return (
    <Form
      form={form}
      onSubmit={submit}
      onError={handleInvalidLink(onInvalidLink)}
      errorToast={['Address not confirmed']}
      className="w-full max-w-md space-y-5"
    >
      <HiddenUsername email={email} />
      <TextField label="Password" type="password" autoComplete="current-password" {...field('password')} />
      <SubmitButton className="max-sm:w-full" pendingText="Confirming...">
        Confirm my address
      </SubmitButton>
    </Form>
  );
}
