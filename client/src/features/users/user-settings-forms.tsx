import { useState } from 'react';
import { Link } from 'wouter';
import { ChangePasswordRequest, UpdateUserRequest, type User } from '#shared/accounts/user';
import { paths } from '../../lib/routing/paths.ts';
import { useZodForm } from '../../lib/use-zod-form.ts';
import { HiddenUsername, NameFields, NewPasswordField } from './user-fields.tsx';
import { TextField } from '../../ui/forms/field.tsx';
import { Form, SubmitButton } from '../../ui/forms/form.tsx';
import { showSuccess } from '../../ui/toasts/toast-store.ts';
import { useChangePassword, useUpdateUser } from './user-api.ts';

export function NamesForm({ user }: { user: User }) {
  const { mutateAsync: update } = useUpdateUser();
  const { form, field } = useZodForm(UpdateUserRequest, namesOf(user));
  const { dirtyFields } = form.formState;
  const save = async (names: UpdateUserRequest) => {
    // Other fields may have been changed elsewhere.
    const changed = Object.entries(names).filter(([name]) => dirtyFields[name as keyof UpdateUserRequest]);
    form.reset(namesOf(await update(Object.fromEntries(changed))));
    showSuccess('Saved');
  };
  return (
    <Form form={form} onSubmit={save} errorToast={['Not saved']} className="space-y-5">
      <NameFields field={field} />
      <SubmitButton variant="secondary" className="max-sm:w-full" pendingText="Saving...">
        Save names
      </SubmitButton>
    </Form>
  );
}

function namesOf({ firstName, lastName, username }: User) {
  return { firstName: firstName ?? '', lastName: lastName ?? '', username };
}

/** Of the account page's section. */
export const PASSKEYS_ID = 'passkeys';

const EMPTY: ChangePasswordRequest = { currentPassword: '', password: '' };

export function PasswordForm({ user }: { user: User }) {
  const { mutateAsync: change } = useChangePassword();
  const [isChanged, setChanged] = useState(false);
  const { form, field } = useZodForm(ChangePasswordRequest, EMPTY);
  const save = async (request: ChangePasswordRequest) => {
    await change(request);
    form.reset(EMPTY);
    setChanged(true);
    showSuccess('Password changed', 'You have been signed out on your other devices.');
  };
  return (
    <Form form={form} onSubmit={save} errorToast={['Password not changed']} className="space-y-5">
      <HiddenUsername email={user.email} />
      <TextField
        label="Current password"
        type="password"
        autoComplete="current-password"
        {...field('currentPassword')}
      />
      <NewPasswordField label="New password" {...field('password')} />
      <div className="flex flex-wrap items-center gap-x-6 gap-y-2">
        <SubmitButton variant="secondary" className="max-sm:w-full" pendingText="Saving...">
          Change password
        </SubmitButton>
        <Link href={paths.forgotPassword} className="inline-flex min-h-11 items-center underline">
          Forgot password?
        </Link>
      </div>
      {isChanged && (
        <p className="text-muted">
          Passkeys and connected sign-ins keep working.{' '}
          <a href={`#${PASSKEYS_ID}`} className="underline">
            Review them
          </a>
        </p>
      )}
    </Form>
  );
}
