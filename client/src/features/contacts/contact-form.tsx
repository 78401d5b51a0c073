import { zodResolver } from '@hookform/resolvers/zod';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { type Contact, type ContactRelationship, CreateContactRequest } from '#shared/contact';
import { classNames } from '../../lib/class-names.ts';
import { bindFields, showFieldErrors } from '../../lib/form-fields.ts';
import { IdempotencyKey } from '../../lib/idempotency-key.ts';
import { Button } from '../../ui/button.tsx';
import { EmailField, TextField } from '../../ui/field.tsx';
import { SelectField } from '../../ui/select-field.tsx';
import { showError } from '../../ui/show-error.ts';
import { showToast } from '../../ui/toast-store.ts';
import { useCreateContact, useEditContact } from './contact-api.ts';

export const relationshipNames: Record<ContactRelationship, string> = {
  family: 'Family',
  friend: 'Friend',
  partner: 'Partner',
  colleague: 'Colleague',
  other: 'Other',
};

const relationshipOptions = Object.entries(relationshipNames).map(([value, name]) => ({ value, name }));
const EMPTY: CreateContactRequest = { name: '', email: '', relationship: '' };

interface FormProps {
  onClose: () => void;
}

export function AddContactForm({ onClose }: FormProps) {
  const { mutateAsync: create } = useCreateContact();
  const [idempotencyKey] = useState(() => new IdempotencyKey());
  return (
    <ContactForm
      label="New contact"
      values={EMPTY}
      save={(contact) => create({ contact, idempotencyKey: idempotencyKey.for(contact) })}
      texts={{ pending: 'Adding...', done: 'Contact added', error: 'Failed to add contact' }}
      onClose={onClose}
      className="mb-10 border-y border-hairline py-7"
    />
  );
}

/** Sends only changed fields: the others may have been changed elsewhere. */
export function EditContactForm({ contact, onClose }: FormProps & { contact: Contact }) {
  const { mutateAsync: edit } = useEditContact();
  const { id, name, email, relationship } = contact;
  // The values when the form was opened, even if the list is refetched.
  const [before] = useState<CreateContactRequest>({ name, email, relationship: relationship ?? '' });
  return (
    <ContactForm
      label={`Edit ${name}`}
      values={before}
      note="We’ll email the new address to say that you added them. Links in earlier emails will stop working."
      save={(contact) =>
        edit({
          id,
          changes: {
            ...(contact.name !== before.name && { name: contact.name }),
            ...(contact.email !== before.email && { email: contact.email }),
            ...(contact.relationship !== before.relationship && { relationship: contact.relationship }),
          },
        })
      }
      texts={{ pending: 'Saving...', done: 'Contact saved', error: 'Failed to update contact' }}
      onClose={onClose}
      className="py-6"
    />
  );
}

interface ContactFormProps extends FormProps {
  label: string;
  values: CreateContactRequest;
  /** Shown when the email has been changed. */
  note?: string;
  save: (contact: CreateContactRequest) => Promise<Contact>;
  texts: { pending: string; done: string; error: string };
  className: string;
}

function ContactForm({ label, values, note, save, texts, onClose, className }: ContactFormProps) {
  const form = useForm({ resolver: zodResolver(CreateContactRequest), defaultValues: values });
  const { isSubmitting, dirtyFields } = form.formState;
  const field = bindFields(form);

  const submit = form.handleSubmit(async (contact) => {
    try {
      await save(contact);
    } catch (error) {
      showError(error, 'Error', texts.error);
      showFieldErrors(error, form);
      return;
    }
    showToast({ title: texts.done, variant: 'success' });
    onClose();
  });

  return (
    <form
      onSubmit={(event) => void submit(event)}
      noValidate
      aria-label={label}
      className={classNames('grid gap-5 sm:grid-cols-3', className)}
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
      <p aria-live="polite" className="text-small text-muted empty:hidden sm:col-span-3">
        {dirtyFields.email && note}
      </p>
      <div className="flex flex-col-reverse gap-3 sm:col-span-3 sm:flex-row sm:justify-end">
        <Button variant="secondary" onClick={() => !isSubmitting && onClose()}>
          Cancel
        </Button>
        <Button type="submit" isPending={isSubmitting} pendingText={texts.pending}>
          Save Contact
        </Button>
      </div>
    </form>
  );
}
