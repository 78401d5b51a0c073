import { useState } from 'react';
import { type Contact, type ContactRelationship, CreateContactRequest } from '#shared/album/contact';
import { IdempotencyKey } from '../../lib/api/idempotency-key.ts';
import { classNames } from '../../lib/class-names.ts';
import { useZodForm } from '../../lib/use-zod-form.ts';
import { EmailField, TextField } from '../../ui/forms/field.tsx';
import { CancelButton, Form, SubmitButton } from '../../ui/forms/form.tsx';
import { SelectField } from '../../ui/forms/select-field.tsx';
import { showSuccess } from '../../ui/toasts/toast-store.ts';
import { CONTACT_NOT_UPDATED, useCreateContact, useEditContact } from './contact-api.ts';

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
      texts={{ pending: 'Saving...', done: 'Contact saved', error: CONTACT_NOT_UPDATED }}
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
  const { form, field } = useZodForm(CreateContactRequest, values);
  const { dirtyFields } = form.formState;
  const submit = async (contact: CreateContactRequest) => {
    await save(contact);
    showSuccess(texts.done);
    onClose();
  };

  return (
    <Form
      form={form}
      onSubmit={submit}
      errorToast={['Error', texts.error]}
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
        <CancelButton onCancel={onClose} />
        <SubmitButton pendingText={texts.pending}>Save Contact</SubmitButton>
      </div>
    </Form>
  );
}
