import { zodResolver } from '@hookform/resolvers/zod';
import { useForm, useWatch } from 'react-hook-form';
import { Link } from 'wouter';
import { LoginRequest } from '#shared/user';
import { fieldsOf } from '../../lib/fields-of.ts';
import { paths } from '../../lib/paths.ts';
import { EmailField } from '../../ui/account-fields.tsx';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/field.tsx';
import { showToast } from '../../ui/toast-store.ts';
import { FormFailure, showFormFailure } from './form-failure.tsx';
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
      showFormFailure(error, 'Login failed', ['email', 'password'], form);
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
      <FormFailure message={form.formState.errors.root?.message} />
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
