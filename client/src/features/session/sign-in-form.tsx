import { zodResolver } from '@hookform/resolvers/zod';
import { useForm, useWatch } from 'react-hook-form';
import { Link } from 'wouter';
import { LoginRequest } from '#shared/user';
import { fieldsOf } from '../../lib/fields-of.ts';
import { paths } from '../../lib/paths.ts';
import { showFieldErrors } from '../../lib/show-field-errors.ts';
import { EmailField } from '../../ui/account-fields.tsx';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/field.tsx';
import { showFailure } from '../../ui/show-failure.ts';
import { showToast } from '../../ui/toast-store.ts';
import { useLogin } from './session-api.ts';

export function SignInForm() {
  const login = useLogin();
  const form = useForm<LoginRequest>({
    resolver: zodResolver(LoginRequest),
    defaultValues: { email: '', password: '' },
  });
  const field = fieldsOf(form);
  const email = useWatch({ control: form.control, name: 'email' });

  const signIn = form.handleSubmit(async (values) => {
    try {
      await login.mutateAsync(values);
    } catch (error) {
      showFieldErrors(error, ['email', 'password'], form.setError);
      showFailure(error, 'Login failed', 'Login failed');
      return;
    }
    showToast({
      title: 'Welcome back!',
      description: "You've been signed in successfully.",
      variant: 'success',
    });
  });

  return (
    <form onSubmit={(event) => void signIn(event)} noValidate className="space-y-5">
      <EmailField {...field('email')} />
      <TextField label="Password" type="password" autoComplete="current-password" {...field('password')} />
      <Button
        type="submit"
        className="w-full"
        isPending={form.formState.isSubmitting}
        pendingText="Signing in..."
      >
        Sign In
      </Button>
      <Link
        href={paths.forgotPassword}
        state={{ email }}
        className="flex min-h-11 items-center justify-center underline"
      >
        Forgot password?
      </Link>
    </form>
  );
}
