import { type FieldValues, type UseFormReturn, useWatch } from 'react-hook-form';
import { useState } from 'react';
import { Link, useLocation } from 'wouter';
import { useHistoryState } from 'wouter/use-browser-location';
import { SIGN_IN_SLOWED } from '#shared/accounts/session';
import { LINK_SENT, LoginRequest, RegisterRequest } from '#shared/accounts/user';
import {
  ApiError,
  isLostSession,
  isUnreachable,
  serverMessage,
  UNREACHABLE,
} from '../../lib/api/api-client.ts';
import { showFieldErrors } from '../../lib/form-fields.ts';
import { loadLater } from '../../lib/routing/load-later.tsx';
import { paths } from '../../lib/routing/paths.ts';
import { useZodForm } from '../../lib/use-zod-form.ts';
import { PasskeyError, usePasskeyObstacle } from '../passkeys/passkey-support.ts';
import { NameFields, NewPasswordField } from '../users/user-fields.tsx';
import { buttonClasses } from '../../ui/buttons/button.tsx';
import { EmailField, TextField } from '../../ui/forms/field.tsx';
import { Form, SubmitButton } from '../../ui/forms/form.tsx';
import { showFailure } from '../../ui/toasts/show-error.ts';
import { showSuccess } from '../../ui/toasts/toast-store.ts';
import { useLogin, usePasskeyLogin, useRegister } from './session-api.ts';
import { CODE_STEP, firstStepUrl, isExpiredStep } from './sign-in-step.ts';
import { welcomeBack } from './welcome-back.ts';

const PasskeySignIn = loadLater(
  async () => (await import('../passkeys/passkey-sign-in.tsx')).PasskeySignIn,
  <div className="h-11" />,
);

/** Its second step is `SignInCodeForm`, which the page shows. */
export function SignInForm() {
  const isExpired = isExpiredStep(useHistoryState<unknown>());
  const [, navigate] = useLocation();
  const login = useLogin();
  const { form, field } = useZodForm(LoginRequest, { email: '', password: '' });
  const { errors } = form.formState;
  const passkeyObstacle = usePasskeyObstacle();
  const { mutateAsync: logInByPasskey } = usePasskeyLogin();
  const email = useWatch({ control: form.control, name: 'email' });
  const [isSlowed, setSlowed] = useState(false);

  const signIn = async (values: LoginRequest) => {
    const user = await login.mutateAsync(values);
    if (user) welcomeBack();
    else navigate(firstStepUrl(), { state: CODE_STEP });
  };
  const handleError = (error: unknown) => {
    setSlowed(error instanceof ApiError && error.body?.code === SIGN_IN_SLOWED);
    showFormError(error, 'Login failed', form);
    return true;
  };

  return (
    <Form form={form} onSubmit={signIn} onError={handleError} className="space-y-5">
      {isExpired && <FormError message="Please enter your password again." />}
      <EmailField autoComplete="username webauthn" {...field('email')} />
      <TextField label="Password" type="password" autoComplete="current-password" {...field('password')} />
      <FormError message={errors.root?.message} />
      {isSlowed && errors.root && (
        <Link
          href={paths.forgotPassword}
          state={{ email }}
          className={buttonClasses({ variant: 'secondary', className: 'w-full' })}
        >
          Get a link by email
        </Link>
      )}
      <SubmitButton className="w-full" pendingText="Signing in...">
        Sign In
      </SubmitButton>
      <Link
        href={paths.forgotPassword}
        state={{ email }}
        className="-mt-2 flex min-h-11 items-center justify-center underline"
      >
        Forgot password?
      </Link>
      {passkeyObstacle === null && (
        <PasskeySignIn
          logIn={logInByPasskey}
          onSignedIn={welcomeBack}
          onError={(error) => showFormError(error, 'Login failed', form)}
        />
      )}
    </Form>
  );
}

/** Shows the error in a toast and at the form's fields, or above its button if it concerns no field. */
export function showFormError<Values extends FieldValues, Output>(
  error: unknown,
  title: string,
  form: UseFormReturn<Values, unknown, Output>,
): void {
  if (isLostSession(error)) return;
  const reason = serverMessage(error) ?? ownMessage(error) ?? title;
  showFailure(title, reason);
  if (!showFieldErrors(error, form)) form.setError('root', { message: reason });
}

function ownMessage(error: unknown): string | undefined {
  if (error instanceof PasskeyError) return error.message;
  return isUnreachable(error) ? UNREACHABLE : undefined;
}

export function FormError({ message }: { message: string | undefined }) {
  if (!message) return null;
  return (
    <p role="alert" className="border-l-2 border-danger py-0.5 pl-3.5 text-danger">
      {message}
    </p>
  );
}

export interface SignUpFormProps {
  /** Its email, if it has one, is the only address that it can register. */
  invitation?: { token: string; email: string | null; isForAdministrator: boolean } | undefined;
}

export function SignUpForm({ invitation }: SignUpFormProps) {
  const registration = useRegister();
  const { form, field } = useZodForm(RegisterRequest, {
    firstName: '',
    lastName: '',
    username: '',
    email: invitation?.email ?? '',
    password: '',
    ...(invitation && { invitationToken: invitation.token }),
  });
  const { errors } = form.formState;

  // In the order of the screen, in which React Hook Form looks for the first wrong field.
  const names = {
    firstName: field('firstName'),
    lastName: field('lastName'),
    username: field('username'),
  };

  const signUp = async (values: RegisterRequest) => {
    const user = await registration.mutateAsync(withoutEmptyNames(values));
    showSuccess('Account created!', `Welcome, ${user.firstName ?? user.username}! You're signed in.`);
  };
  const handleError = (error: unknown) => {
    const isLinkSent = error instanceof ApiError && error.body?.code === LINK_SENT;
    showFormError(error, isLinkSent ? 'Check your inbox' : 'Registration failed', form);
    return true;
  };

  return (
    <Form form={form} onSubmit={signUp} onError={handleError} className="space-y-5">
      <NameFields field={(name) => names[name]} />
      <EmailField {...field('email')} {...(invitation?.email && { readOnly: true, note: 'as invited' })} />
      <NewPasswordField {...field('password')} />
      <FormError message={errors.root?.message} />
      <SubmitButton className="w-full" pendingText="Creating account...">
        Create account
      </SubmitButton>
    </Form>
  );
}

function withoutEmptyNames({ firstName, lastName, ...rest }: RegisterRequest): RegisterRequest {
  return { ...rest, ...(firstName && { firstName }), ...(lastName && { lastName }) };
}
