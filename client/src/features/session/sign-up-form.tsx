import { zodResolver } from '@hookform/resolvers/zod';
import { useForm } from 'react-hook-form';
import { RegisterRequest } from '#shared/user';
import { serverMessage } from '../../lib/api-client.ts';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/field.tsx';
import { showToast } from '../../ui/toast-store.ts';
import { useRegister } from './session-api.ts';
import { showFieldErrors } from '../../lib/show-field-errors.ts';

const NAMES = ['firstName', 'lastName', 'username', 'email', 'password'] as const;

export function SignUpForm() {
  const registration = useRegister();
  const { register, handleSubmit, setError, formState } = useForm<RegisterRequest>({
    resolver: zodResolver(RegisterRequest),
    defaultValues: { firstName: '', lastName: '', username: '', email: '', password: '' },
  });
  const { errors } = formState;

  const signUp = handleSubmit(async (values) => {
    try {
      const user = await registration.mutateAsync(withoutEmptyNames(values));
      showToast({
        title: 'Account created!',
        description: `Welcome, ${user.firstName ?? user.username}! You're signed in.`,
        variant: 'success',
      });
    } catch (error) {
      showFieldErrors(error, NAMES, setError);
      showToast({
        title: 'Registration failed',
        description: serverMessage(error) ?? 'Registration failed',
        variant: 'destructive',
      });
    }
  });

  return (
    <form onSubmit={signUp} noValidate className="space-y-5">
      <div className="grid gap-5 sm:grid-cols-2">
        <TextField
          label="First name"
          note="optional"
          autoComplete="given-name"
          error={errors.firstName?.message}
          {...register('firstName')}
        />
        <TextField
          label="Last name"
          note="optional"
          autoComplete="family-name"
          error={errors.lastName?.message}
          {...register('lastName')}
        />
      </div>
      <TextField
        label="Username"
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        error={errors.username?.message}
        {...register('username')}
      />
      <TextField
        label="Email"
        type="email"
        inputMode="email"
        autoComplete="email"
        autoCapitalize="none"
        error={errors.email?.message}
        {...register('email')}
      />
      <TextField
        label="Password"
        note="6 characters or more"
        type="password"
        autoComplete="new-password"
        error={errors.password?.message}
        {...register('password')}
      />
      <Button
        type="submit"
        className="w-full"
        isPending={formState.isSubmitting}
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
