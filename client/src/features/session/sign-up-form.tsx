import { zodResolver } from '@hookform/resolvers/zod';
import { useForm } from 'react-hook-form';
import { RegisterRequest } from '#shared/user';
import { fieldsOf } from '../../lib/fields-of.ts';
import { EmailField, NameFields, NewPasswordField } from '../../ui/account-fields.tsx';
import { Button } from '../../ui/button.tsx';
import { showToast } from '../../ui/toast-store.ts';
import { FormFailure, showFormFailure } from './form-failure.tsx';
import { useRegister } from './session-api.ts';

const NAMES = ['firstName', 'lastName', 'username', 'email', 'password'] as const;

export function SignUpForm() {
  const registration = useRegister();
  const form = useForm<RegisterRequest>({
    resolver: zodResolver(RegisterRequest),
    defaultValues: { firstName: '', lastName: '', username: '', email: '', password: '' },
  });
  const field = fieldsOf(form);

  const signUp = form.handleSubmit(async (values) => {
    try {
      const user = await registration.mutateAsync(withoutEmptyNames(values));
      showToast({
        title: 'Account created!',
        description: `Welcome, ${user.firstName ?? user.username}! You're signed in.`,
        variant: 'success',
      });
    } catch (error) {
      showFormFailure(error, 'Registration failed', NAMES, form);
    }
  });

  return (
    <form onSubmit={(event) => void signUp(event)} noValidate className="space-y-5">
      <NameFields field={field} />
      <EmailField {...field('email')} />
      <NewPasswordField {...field('password')} />
      <FormFailure message={form.formState.errors.root?.message} />
      <Button
        type="submit"
        className="w-full"
        isPending={form.formState.isSubmitting}
        pendingText="Creating account..."
      >
        Create account
      </Button>
    </form>
  );
}

function withoutEmptyNames({ firstName, lastName, ...rest }: RegisterRequest): RegisterRequest {
  return { ...rest, ...(firstName && { firstName }), ...(lastName && { lastName }) };
}
