import { useForm } from 'react-hook-form';
import { ApiError } from '../../lib/api-client.ts';
import { bindFields, showFieldErrors } from '../../lib/form-fields.ts';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/field.tsx';
import { showError } from '../../ui/show-error.ts';
import { useVerifyEmailWithPassword } from './user-api.ts';

interface ConfirmEmailFormProps {
  token: string;
  onConfirmed: () => void;
  onInvalidLink: () => void;
}

/** For a browser without a session of the account. */
export function ConfirmEmailForm({ token, onConfirmed, onInvalidLink }: ConfirmEmailFormProps) {
  const { mutateAsync: verify } = useVerifyEmailWithPassword();
  const form = useForm({ defaultValues: { password: '' } });
  const { isSubmitting } = form.formState;
  const submit = form.handleSubmit(async ({ password }) => {
    try {
      await verify({ token, password });
    } catch (error) {
      if (error instanceof ApiError && error.body?.fields?.['token']) return onInvalidLink();
      showFieldErrors(error, form);
      showError(error, 'Address not confirmed', 'Please check your connection and try again.');
      return;
    }
    onConfirmed();
  });
  return (
    <form onSubmit={(event) => void submit(event)} noValidate className="w-full max-w-md space-y-5">
      <TextField
        label="Password"
        type="password"
        autoComplete="current-password"
        {...bindFields(form)('password')}
      />
      <Button type="submit" className="max-sm:w-full" isPending={isSubmitting} pendingText="Confirming...">
        Confirm my address
      </Button>
    </form>
  );
}
