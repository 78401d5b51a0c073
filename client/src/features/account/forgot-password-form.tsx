import { zodResolver } from '@hookform/resolvers/zod';
import { useForm } from 'react-hook-form';
import { ForgotPasswordRequest } from '#shared/user';
import { fieldsOf } from '../../lib/fields-of.ts';
import { showFieldErrors } from '../../lib/show-field-errors.ts';
import { EmailField } from '../../ui/account-fields.tsx';
import { Button } from '../../ui/button.tsx';
import { showFailure } from '../../ui/show-failure.ts';
import { useForgotPassword } from './account-api.ts';

interface ForgotPasswordFormProps {
  /** The address that was written already. */
  email: string;
  onSent: (email: string) => void;
}

export function ForgotPasswordForm({ email, onSent }: ForgotPasswordFormProps) {
  const { mutateAsync: send } = useForgotPassword();
  const form = useForm<ForgotPasswordRequest>({
    resolver: zodResolver(ForgotPasswordRequest),
    defaultValues: { email },
  });
  const field = fieldsOf(form);
  const submit = form.handleSubmit(async (request) => {
    try {
      await send(request);
    } catch (error) {
      showFieldErrors(error, ['email'], form.setError);
      showFailure(error, 'The link could not be sent', 'Please check your connection and try again.');
      return;
    }
    onSent(request.email);
  });
  return (
    <form onSubmit={(event) => void submit(event)} noValidate className="w-full max-w-md space-y-5">
      <EmailField {...field('email')} />
      <Button
        type="submit"
        className="max-sm:w-full"
        isPending={form.formState.isSubmitting}
        pendingText="Sending..."
      >
        Send link
      </Button>
    </form>
  );
}
