import { zodResolver } from '@hookform/resolvers/zod';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { CreateContactRequest } from '#shared/contact';
import { fieldsOf } from '../../lib/fields-of.ts';
import { IdempotencyKey } from '../../lib/idempotency-key.ts';
import { showFieldErrors } from '../../lib/show-field-errors.ts';
import { EmailField } from '../../ui/account-fields.tsx';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/field.tsx';
import { SelectField } from '../../ui/select-field.tsx';
import { showFailure } from '../../ui/show-failure.ts';
import { showToast } from '../../ui/toast-store.ts';
import { useCreateContact } from './contact-api.ts';
import { relationshipNames } from './relationships.ts';

const relationshipOptions = Object.entries(relationshipNames).map(([value, name]) => ({ value, name }));
const EMPTY: CreateContactRequest = { name: '', email: '', relationship: '' };

/** A new contact, written on the page itself. */
export function ContactForm({ onAdded, onCancel }: { onAdded: () => void; onCancel: () => void }) {
  const form = useForm({ resolver: zodResolver(CreateContactRequest), defaultValues: EMPTY });
  const { isSubmitting } = form.formState;
  const field = fieldsOf(form);
  const { mutateAsync: create } = useCreateContact();
  const [idempotencyKey] = useState(() => new IdempotencyKey());

  const add = form.handleSubmit(async (contact) => {
    try {
      await create({ contact, idempotencyKey: idempotencyKey.for(contact) });
    } catch (error) {
      showFailure(error, 'Error', 'Failed to add contact');
      showFieldErrors(error, ['name', 'email', 'relationship'], form.setError);
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
        {...field('name')}
      />
      <EmailField aria-required autoComplete="off" {...field('email')} />
      <SelectField
        label="Relationship"
        note="optional"
        placeholder="Select a relationship"
        options={relationshipOptions}
        {...field('relationship')}
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
