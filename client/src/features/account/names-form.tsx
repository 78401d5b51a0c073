import { zodResolver } from '@hookform/resolvers/zod';
import { useForm } from 'react-hook-form';
import { UpdateUserRequest, type User } from '#shared/user';
import { fieldsOf } from '../../lib/fields-of.ts';
import { showFieldErrors } from '../../lib/show-field-errors.ts';
import { NameFields } from '../../ui/account-fields.tsx';
import { Button } from '../../ui/button.tsx';
import { showFailure } from '../../ui/show-failure.ts';
import { showToast } from '../../ui/toast-store.ts';
import { useUpdateUser } from './account-api.ts';

const NAMES = ['firstName', 'lastName', 'username'] as const;

export function NamesForm({ user }: { user: User }) {
  const { mutateAsync: update } = useUpdateUser();
  const form = useForm<UpdateUserRequest>({
    resolver: zodResolver(UpdateUserRequest),
    defaultValues: namesOf(user),
  });
  const field = fieldsOf(form);
  const { dirtyFields } = form.formState;
  const save = form.handleSubmit(async (names) => {
    // The others may have been changed elsewhere meanwhile.
    const changed = NAMES.filter((name) => dirtyFields[name]);
    try {
      form.reset(namesOf(await update(Object.fromEntries(changed.map((name) => [name, names[name]])))));
    } catch (error) {
      showFieldErrors(error, NAMES, form.setError);
      showFailure(error, 'Not saved', 'Please check your connection and try again.');
      return;
    }
    showToast({ title: 'Saved', variant: 'success' });
  });
  return (
    <form onSubmit={(event) => void save(event)} noValidate className="space-y-5">
      <NameFields field={field} />
      <Button
        type="submit"
        variant="secondary"
        className="max-sm:w-full"
        isPending={form.formState.isSubmitting}
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
