import { zodResolver } from '@hookform/resolvers/zod';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { Link } from 'wouter';
import { ChangePasswordRequest, UpdateUserRequest, type User } from '#shared/user';
import { bindFields, showFieldErrors } from '../../lib/form-fields.ts';
import { paths } from '../../lib/paths.ts';
import { HiddenUsername, NameFields, NewPasswordField } from './user-fields.tsx';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/field.tsx';
import { showError } from '../../ui/show-error.ts';
import { showToast } from '../../ui/toast-store.ts';
import { useChangePassword, useUpdateUser } from './user-api.ts';

const CHECK_CONNECTION = 'Please check your connection and try again.';

export function NamesForm({ user }: { user: User }) {
  const { mutateAsync: update } = useUpdateUser();
  const form = useForm<UpdateUserRequest>({
    resolver: zodResolver(UpdateUserRequest),
    defaultValues: namesOf(user),
  });
  const { dirtyFields, isSubmitting } = form.formState;
  const save = form.handleSubmit(async (names) => {
    // Other fields may have been changed elsewhere.
    const changed = Object.entries(names).filter(([name]) => dirtyFields[name as keyof UpdateUserRequest]);
    try {
      form.reset(namesOf(await update(Object.fromEntries(changed))));
    } catch (error) {
      showFieldErrors(error, form);
      showError(error, 'Not saved', CHECK_CONNECTION);
      return;
    }
    showToast({ title: 'Saved', variant: 'success' });
  });
  return (
    <form onSubmit={(event) => void save(event)} noValidate className="space-y-5">
      <NameFields field={bindFields(form)} />
      <Button
        type="submit"
        variant="secondary"
        className="max-sm:w-full"
        isPending={isSubmitting}
        pendingText="Saving..."
      >
        Save names
      </Button>
    </form>
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
  const form = useForm({ resolver: zodResolver(ChangePasswordRequest), defaultValues: EMPTY });
  const field = bindFields(form);
  const save = form.handleSubmit(async (request) => {
    try {
      await change(request);
    } catch (error) {
      showFieldErrors(error, form);
      showError(error, 'Password not changed', CHECK_CONNECTION);
      return;
    }
    form.reset(EMPTY);
    setChanged(true);
    showToast({
      title: 'Password changed',
      description: 'You have been signed out on your other devices.',
      variant: 'success',
    });
  });
  return (
    <form onSubmit={(event) => void save(event)} noValidate className="space-y-5">
      <HiddenUsername email={user.email} />
      <TextField
        label="Current password"
        type="password"
        autoComplete="current-password"
        {...field('currentPassword')}
      />
      <NewPasswordField label="New password" {...field('password')} />
      <div className="flex flex-wrap items-center gap-x-6 gap-y-2">
        <Button
          type="submit"
          variant="secondary"
          className="max-sm:w-full"
          isPending={form.formState.isSubmitting}
          pendingText="Saving..."
        >
          Change password
        </Button>
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
    </form>
  );
}
