import { zodResolver } from '@hookform/resolvers/zod';
import { useId, useState } from 'react';
import { Controller, useForm } from 'react-hook-form';
import { Link, useLocation } from 'wouter';
import { StartAgainRequest } from '#shared/user';
import { useStartAgain } from '../features/sessions/session-api.ts';
import { NameFields, NewPasswordField } from '../features/users/user-fields.tsx';
import { useEmailedToken } from '../features/users/use-emailed-token.ts';
import { ApiError } from '../lib/api-client.ts';
import { bindFields, showFieldErrors } from '../lib/form-fields.ts';
import { paths } from '../lib/paths.ts';
import { usePageTitle } from '../lib/use-page-title.ts';
import { Button, buttonClasses } from '../ui/button.tsx';
import { FieldError } from '../ui/field.tsx';
import { MessagePage } from '../ui/message-page.tsx';
import { RadioCards } from '../ui/radio-group.tsx';
import { showError } from '../ui/show-error.ts';

export function StartAgainPage() {
  const token = useEmailedToken();
  return <StartAgain key={token} token={token} />;
}

function StartAgain({ token }: { token: string }) {
  usePageTitle('Start your album');
  const [isLinkInvalid, setLinkInvalid] = useState(token === '');
  if (isLinkInvalid) {
    return (
      <MessagePage title="This link no longer works" takesFocus={token !== ''}>
        <p className="text-lead text-muted">
          Links work once, for 24 hours. If your address is confirmed by now, you can sign in.
        </p>
        <Link href={paths.auth} className={buttonClasses()}>
          Sign in or sign up
        </Link>
      </MessagePage>
    );
  }
  return (
    <MessagePage title="Start your album">
      <p className="text-lead text-muted">
        Someone, perhaps you, used your address here before without confirming it. Only you can open this
        link, so the account is yours now.
      </p>
      <StartAgainForm token={token} onInvalidLink={() => setLinkInvalid(true)} />
    </MessagePage>
  );
}

function StartAgainForm({ token, onInvalidLink }: { token: string; onInvalidLink: () => void }) {
  const { mutateAsync: start } = useStartAgain();
  const [, navigate] = useLocation();
  const legend = useId();
  const form = useForm<StartAgainRequest>({
    resolver: zodResolver(StartAgainRequest),
    defaultValues: { token, firstName: '', lastName: '', username: '', password: '' },
  });
  const { errors, isSubmitting } = form.formState;
  const field = bindFields(form);
  const submit = form.handleSubmit(async (request) => {
    try {
      await start(request);
    } catch (error) {
      if (error instanceof ApiError && error.body?.fields?.['token']) return onInvalidLink();
      showFieldErrors(error, form);
      showError(error, 'Album not started', 'Please check your connection and try again.');
      return;
    }
    navigate(paths.home);
  });
  return (
    <form onSubmit={(event) => void submit(event)} noValidate className="w-full max-w-md space-y-5">
      <div>
        <p id={legend} className="mb-1.5 text-small font-semibold">
          Pets and photos from before
        </p>
        <Controller
          control={form.control}
          name="keepsPhotos"
          render={({ field: { value, onChange } }) => (
            <RadioCards
              labelledBy={legend}
              value={(value as boolean | undefined) === undefined ? undefined : value ? 'keep' : 'empty'}
              onChoose={(choice) => onChange(choice === 'keep')}
              className="grid gap-2.5 sm:grid-cols-2"
              choiceClassName="flex min-h-11 items-center rounded-field border border-edge bg-sheet px-3.5 py-2.5 has-checked:border-accent has-checked:ring-1 has-checked:ring-accent"
              choices={[
                { value: 'keep', content: 'They are mine, keep them' },
                { value: 'empty', content: 'Start with an empty album' },
              ]}
            />
          )}
        />
        <FieldError id={legend} error={errors.keepsPhotos?.message} />
      </div>
      <NameFields field={field} />
      <NewPasswordField {...field('password')} />
      <Button type="submit" className="max-sm:w-full" isPending={isSubmitting} pendingText="Starting...">
        Start your album
      </Button>
    </form>
  );
}
