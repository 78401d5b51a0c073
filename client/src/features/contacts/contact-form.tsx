import { zodResolver } from '@hookform/resolvers/zod';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { CreateContactRequest } from '#shared/contact';
import { serverMessage } from '../../lib/api-client.ts';
import { IdempotencyKey } from '../../lib/idempotency-key.ts';
import { isLostSession } from '../../lib/lost-session.ts';
import { showFieldErrors } from '../../lib/show-field-errors.ts';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/field.tsx';
import { SelectField } from '../../ui/select-field.tsx';
import { showToast } from '../../ui/toast-store.ts';
import { useCreateContact } from './contact-api.ts';
import { relationshipNames } from './relationships.ts';

const relationshipOptions = Object.entries(relationshipNames).map(([value, name]) => ({ value, name }));
const EMPTY: CreateContactRequest = { name: '', email: '', relationship: '' };

/** A new contact, written on the page itself. */
export function ContactForm({ onAdded, onCancel }: { onAdded: () => void; onCancel: () => void }) {
  const { register, handleSubmit, setError, formState } = useForm({
    resolver: zodResolver(CreateContactRequest),
    defaultValues: EMPTY,
  });
  const { errors, isSubmitting } = formState;
  const { mutateAsync: create } = useCreateContact();
  const [idempotencyKey] = useState(() => new IdempotencyKey());

  const add = handleSubmit(async (contact) => {
    try {
      await create({ contact, idempotencyKey: idempotencyKey.for(contact) });
    } catch (error) {
      // A lost session has its own notice.
      if (isLostSession(error)) return;
      const description = serverMessage(error) ?? 'Failed to add contact';
      showToast({ title: 'Error', description, variant: 'destructive' });
      showFieldErrors(error, ['name', 'email', 'relationship'], setError);
      return;
    }
    showToast({ title: 'Contact added', variant: 'success' });
    onAdded();
  });

  return (
    <form
      onSubmit={(event) => void add(event)}
      noValidate
      aria-label="New contact"
      className="mb-10 grid gap-5 border-y border-hairline py-7 sm:grid-cols-3"
    >
      <TextField
        label="Name"
        aria-required
        autoFocus
        autoComplete="off"
        autoCapitalize="words"
        dir="auto"
        error={errors.name?.message}
        {...register('name')}
      />
      <TextField
        label="Email"
        type="email"
        inputMode="email"
        aria-required
        autoComplete="off"
        error={errors.email?.message}
        {...register('email')}
      />
      <SelectField
        label="Relationship"
        note="optional"
        placeholder="Select a relationship"
        options={relationshipOptions}
        error={errors.relationship?.message}
        {...register('relationship')}
      />
      <div className="flex flex-col-reverse gap-3 sm:col-span-3 sm:flex-row sm:justify-end">
        <Button variant="secondary" onClick={() => !isSubmitting && onCancel()}>
          Cancel
        </Button>
        <Button type="submit" isPending={isSubmitting} pendingText="Adding...">
          Save Contact
        </Button>
      </div>
    </form>
  );
}
