import { zodResolver } from '@hookform/resolvers/zod';
import { useForm } from 'react-hook-form';
import { LoginRequest } from '#shared/user';
import { serverMessage } from '../../lib/api-client.ts';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/field.tsx';
import { showToast } from '../../ui/toast-store.ts';
import { useLogin } from './session-api.ts';
import { showFieldErrors } from '../../lib/show-field-errors.ts';

export function SignInForm() {
  const login = useLogin();
  const { register, handleSubmit, setError, formState } = useForm<LoginRequest>({
    resolver: zodResolver(LoginRequest),
    defaultValues: { email: '', password: '' },
  });

  const signIn = handleSubmit(async (values) => {
    try {
      await login.mutateAsync(values);
      showToast({
        title: 'Welcome back!',
        description: "You've been signed in successfully.",
        variant: 'success',
      });
    } catch (error) {
      showFieldErrors(error, ['email', 'password'], setError);
      showToast({
        title: 'Login failed',
        description: serverMessage(error) ?? 'Login failed',
        variant: 'destructive',
      });
    }
  });

  return (
    <form onSubmit={signIn} noValidate className="space-y-5">
      <TextField
        label="Email"
        type="email"
        inputMode="email"
        autoComplete="email"
        autoCapitalize="none"
        error={formState.errors.email?.message}
        {...register('email')}
      />
      <TextField
        label="Password"
        type="password"
        autoComplete="current-password"
        error={formState.errors.password?.message}
        {...register('password')}
      />
      <Button type="submit" className="w-full" isPending={formState.isSubmitting} pendingText="Signing in...">
        Sign In
      </Button>
    </form>
  );
}
