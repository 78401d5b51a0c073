import { zodResolver } from '@hookform/resolvers/zod';
import { useForm } from 'react-hook-form';
import { ResetPasswordRequest } from '#shared/user';
import { ApiError } from '../../lib/api-client.ts';
import { fieldsOf } from '../../lib/fields-of.ts';
import { showFieldErrors } from '../../lib/show-field-errors.ts';
import { NewPasswordField } from '../../ui/account-fields.tsx';
import { Button } from '../../ui/button.tsx';
import { showFailure } from '../../ui/show-failure.ts';
import { useResetPassword } from './account-api.ts';

interface ResetPasswordFormProps {
  token: string;
  onDone: () => void;
  /** The link was used, is too old, or never was one. */
  onLinkOver: () => void;
}

export function ResetPasswordForm({ token, onDone, onLinkOver }: ResetPasswordFormProps) {
  const { mutateAsync: reset } = useResetPassword();
  const form = useForm<ResetPasswordRequest>({
    resolver: zodResolver(ResetPasswordRequest),
    defaultValues: { token, password: '' },
  });
  const field = fieldsOf(form);
  const submit = form.handleSubmit(async (request) => {
    try {
      await reset(request);
    } catch (error) {
      if (error instanceof ApiError && error.body?.fields?.['token']) return onLinkOver();
      showFieldErrors(error, ['password'], form.setError);
      showFailure(error, 'Password not changed', 'Please check your connection and try again.');
      return;
    }
    onDone();
  });
  return (
    <form onSubmit={(event) => void submit(event)} noValidate className="w-full max-w-md space-y-5">
      <NewPasswordField label="New password" {...field('password')} />
      <Button
        type="submit"
        className="max-sm:w-full"
        isPending={form.formState.isSubmitting}
        pendingText="Saving..."
      >
        Save password
      </Button>
    </form>
  );
}
