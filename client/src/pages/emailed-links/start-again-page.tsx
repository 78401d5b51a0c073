import { useId, useState } from 'react';
import { Controller } from 'react-hook-form';
import { Link, useLocation } from 'wouter';
import { StartAgainRequest, type StartAgainPreview } from '#shared/accounts/user';
import { useStartAgain, useStartAgainPreview } from '../../features/sessions/start-again-api.ts';
import { InvalidLinkPage } from '../../features/users/emailed-link-page.tsx';
import { NameFields, NewPasswordField } from '../../features/users/user-fields.tsx';
import { handleInvalidLink, useEmailedToken } from '../../features/users/use-emailed-token.ts';
import { ApiError } from '../../lib/api/api-client.ts';
import { paths } from '../../lib/routing/paths.ts';
import { usePageTitle } from '../../lib/routing/use-page-title.ts';
import { useZodForm } from '../../lib/use-zod-form.ts';
import { buttonClasses } from '../../ui/buttons/button.tsx';
import { FieldError } from '../../ui/forms/field.tsx';
import { Form, SubmitButton } from '../../ui/forms/form.tsx';
import { MessagePage } from '../../ui/message-page.tsx';
import { RadioCards } from '../../ui/forms/radio-group.tsx';
import { LoadingScreen } from '../../ui/loading/loading-screen.tsx';
import { useConfirm } from '../../ui/dialogs/use-confirm.tsx';

export function StartAgainPage() {
  const token = useEmailedToken();
  return <StartAgain key={token} token={token} />;
}

function StartAgain({ token }: { token: string }) {
  usePageTitle('Start your album');
  const { error, isLoading, refetch } = useStartAgainPreview(token);
  const [isUsed, setUsed] = useState(false);
  // Loaded again for each question: photos may have been added since.
  const loadPreview = async () => {
    const { data, isSuccess } = await refetch();
    return isSuccess ? data : undefined;
  };
  if (isLoading) return <LoadingScreen isPage />;
  if (token === '' || isUsed || (error instanceof ApiError && error.status === 422)) {
    return (
      <InvalidLinkPage
        takesFocus={isUsed}
        text="Links work once, for 24 hours. If your address is confirmed by now, you can sign in."
      >
        <Link href={paths.auth} className={buttonClasses()}>
          Sign in or sign up
        </Link>
      </InvalidLinkPage>
    );
  }
  return (
    <MessagePage title="Start your album">
      <p className="text-lead text-muted">
        Someone, perhaps you, used your address here before without confirming it. Only you can open this
        link. Once you have started your album, the account is yours alone.
      </p>
      <StartAgainForm token={token} loadPreview={loadPreview} onInvalidLink={() => setUsed(true)} />
    </MessagePage>
  );
}

interface StartAgainFormProps {
  token: string;
  /** Resolves to undefined if it cannot be loaded. */
  loadPreview: () => Promise<StartAgainPreview | undefined>;
  onInvalidLink: () => void;
}

function StartAgainForm({ token, loadPreview, onInvalidLink }: StartAgainFormProps) {
  const { mutateAsync: start } = useStartAgain();
  const confirmDeletion = useConfirmDeletion(loadPreview);
  const [, navigate] = useLocation();
  const legend = useId();
  const { form, field } = useZodForm(StartAgainRequest, {
    token,
    firstName: '',
    lastName: '',
    username: '',
    password: '',
  });
  const { errors } = form.formState;
  const submit = async (request: StartAgainRequest) => {
    if (!request.keepsPhotos && !(await confirmDeletion())) return;
    await start(request);
    navigate(paths.home);
  };
  return (
    <Form
      form={form}
      onSubmit={submit}
      onError={handleInvalidLink(onInvalidLink)}
      errorToast={['Album not started']}
      className="w-full max-w-md space-y-5"
    >
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
      <SubmitButton className="max-sm:w-full" pendingText="Starting...">
        Start your album
      </SubmitButton>
    </Form>
  );
}

/** @returns whether the earlier album may be deleted; asks unless it is empty */
function useConfirmDeletion(loadPreview: StartAgainFormProps['loadPreview']): () => Promise<boolean> {
  const confirm = useConfirm();
  return async () => {
    const preview = await loadPreview();
    if (preview?.photoCount === 0 && preview.petCount === 0) return true;
    return confirm({
      title: `Delete ${preview ? describeAlbum(preview) : 'the photos and pets from before'}?`,
      description: 'Everything in that album is deleted for good.',
      confirmText: 'Delete and start',
      pendingText: 'Deleting...',
      errorToast: ['Album not started'],
      // The form starts the album, and shows what is wrong at its fields.
      onConfirm: () => Promise.resolve(),
    });
  };
}

/** Like `12 photos and 1 pet`. */
function describeAlbum({ photoCount, petCount }: StartAgainPreview): string {
  const parts = [
    photoCount > 0 && `${photoCount} ${photoCount === 1 ? 'photo' : 'photos'}`,
    petCount > 0 && `${petCount} ${petCount === 1 ? 'pet' : 'pets'}`,
  ];
  return parts.filter(Boolean).join(' and ');
}
