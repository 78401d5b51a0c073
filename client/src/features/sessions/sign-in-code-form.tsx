import { useState } from 'react';
import { useLocation } from 'wouter';
import { CodeRequest, SIGN_IN_EXPIRED } from '#shared/accounts/second-factor';
import { ApiError } from '../../lib/api/api-client.ts';
import { usePageTitle } from '../../lib/routing/use-page-title.ts';
import { useZodForm } from '../../lib/use-zod-form.ts';
import { Button } from '../../ui/buttons/button.tsx';
import { CodeField, TextField } from '../../ui/forms/field.tsx';
import { Form, SubmitButton } from '../../ui/forms/form.tsx';
import { FormError, showFormError } from './auth-forms.tsx';
import { useLoginCode } from './session-api.ts';
import { EXPIRED_STEP, firstStepUrl } from './sign-in-step.ts';
import { welcomeBack } from './welcome-back.ts';

/** On a page that is not about signing in alone. */
export function SignInCodeScreen() {
  return (
    <div className="mx-auto max-w-md px-5 py-12 sm:px-8 sm:py-24">
      <SignInCodeForm />
    </div>
  );
}

/** The second step of signing in: a code of the authenticator app, or a recovery code. */
export function SignInCodeForm() {
  usePageTitle('Sign in');
  const [isRecovery, setRecovery] = useState(false);
  const [, navigate] = useLocation();
  return (
    <>
      <h1 className="mb-3 text-title">{isRecovery ? 'Use a recovery code' : 'Enter your code'}</h1>
      <p className="mb-6 text-pretty text-muted">
        {isRecovery
          ? 'Enter one of the codes that you saved when you set up your authenticator app. Each works once.'
          : 'Open your authenticator app and enter the six digits that it shows for Mems Are Forever.'}
      </p>
      {/* A new form, without the text and the error of the other. */}
      <CodeForm key={String(isRecovery)} isRecovery={isRecovery} />
      <div className="mt-5 flex flex-col items-center gap-1">
        <Button variant="quiet" onClick={() => setRecovery(!isRecovery)}>
          {isRecovery ? 'Use your authenticator app instead' : 'Use a recovery code instead'}
        </Button>
        <Button
          variant="quiet"
          // The entry before may be a page of another service.
          onClick={() => navigate(firstStepUrl(), { replace: true, state: null })}
        >
          Back
        </Button>
      </div>
      {isRecovery && (
        <p className="mt-6 border-t border-hairline pt-6 text-small text-pretty text-muted">
          Lost your phone and your codes? The person who runs this album can let you in with your password
          alone.
        </p>
      )}
    </>
  );
}

function CodeForm({ isRecovery }: { isRecovery: boolean }) {
  const [, navigate] = useLocation();
  const { mutateAsync: logIn } = useLoginCode();
  const { form, field: bind } = useZodForm(CodeRequest, { code: '' });
  const { errors } = form.formState;
  const signIn = async (request: CodeRequest) => {
    await logIn(request);
    welcomeBack();
  };
  const handleError = (error: unknown) => {
    if (error instanceof ApiError && error.body?.code === SIGN_IN_EXPIRED)
      navigate(firstStepUrl(), { replace: true, state: EXPIRED_STEP });
    else showFormError(error, 'Login failed', form);
    return true;
  };
  const field = bind('code');
  return (
    <Form form={form} onSubmit={signIn} onError={handleError} className="space-y-5">
      {isRecovery ? (
        <TextField
          label="Recovery code"
          placeholder="abcd-efgh-jkmn"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          aria-required
          autoFocus
          {...field}
        />
      ) : (
        <CodeField label="Code" autoFocus {...field} />
      )}
      <FormError message={errors.root?.message} />
      <SubmitButton className="w-full" pendingText="Checking...">
        Continue
      </SubmitButton>
    </Form>
  );
}
