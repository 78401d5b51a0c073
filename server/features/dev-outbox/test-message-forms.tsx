import type { InputHTMLAttributes, ReactNode } from 'react';
import { formatPhoneNumber } from '#shared/text/phone';
import type { AppError } from '../../platform/errors.ts';
import { TEST_EMAIL_MAX_LENGTH } from './send-test-email.ts';
import { TEST_SMS_MAX_LENGTH, TEST_SMS_MAX_PHOTOS } from './send-test-sms.ts';

export type RejectedForm = { values: Record<string, string>; error: AppError };

type SmsFormProps = { phoneNumber: string; suggestedNumber: string; rejected: RejectedForm | undefined };

export function SmsForm({ phoneNumber, suggestedNumber, rejected }: SmsFormProps) {
  return (
    <TestForm
      id="sms"
      title="Send a test text"
      action="/dev/sms"
      button="Send text"
      hint={
        <>
          Arrives like a text from a phone to <span className="number">{formatPhoneNumber(phoneNumber)}</span>
          .
        </>
      }
      fields={[
        {
          name: 'from',
          label: 'Your phone number',
          type: 'tel',
          placeholder: '+1 206 555 0123',
          maxLength: 50,
        },
        {
          name: 'text',
          label: 'Text',
          rows: 2,
          placeholder: 'PetName: Caption',
          maxLength: TEST_SMS_MAX_LENGTH,
        },
        {
          name: 'photos',
          label: 'Photos',
          type: 'file',
          multiple: true,
          hint: `Up to ${TEST_SMS_MAX_PHOTOS}. You can also choose other files, to see how they are rejected.`,
        },
      ]}
      values={{ from: formatPhoneNumber(suggestedNumber) }}
      rejected={rejected}
    />
  );
}

type EmailFormProps = { inboundDomain: string; rejected: RejectedForm | undefined };

export function EmailForm({ inboundDomain, rejected }: EmailFormProps) {
  return (
    <TestForm
      id="email"
      title="Send a test email"
      action="/dev/emails"
      button="Send email"
      hint="Arrives like an email from the sender’s mail server, with its signature."
      fields={[
        { name: 'from', label: 'From', type: 'email', placeholder: 'you@home.example', maxLength: 254 },
        {
          name: 'to',
          label: 'To',
          type: 'email',
          placeholder: `…@${inboundDomain}`,
          maxLength: 254,
          hint: 'An account’s own address for photos.',
        },
        { name: 'subject', label: 'Subject', placeholder: 'PetName: Caption', maxLength: 1000 },
        { name: 'text', label: 'Text', rows: 2, maxLength: TEST_EMAIL_MAX_LENGTH },
        { name: 'photos', label: 'Photos', type: 'file', multiple: true },
      ]}
      values={{}}
      rejected={rejected}
    />
  );
}

type FieldProps = Pick<
  InputHTMLAttributes<HTMLInputElement>,
  'type' | 'placeholder' | 'maxLength' | 'multiple'
> & { name: string; label: string; hint?: string; rows?: number };

type TestFormProps = {
  id: string;
  title: string;
  hint: ReactNode;
  action: string;
  button: string;
  fields: FieldProps[];
  values: Record<string, string>;
  rejected: RejectedForm | undefined;
};

function TestForm({ id, title, hint, action, button, fields, values, rejected }: TestFormProps) {
  const errors = rejected?.error.details.fields ?? {};
  const isFieldError = fields.some(({ name }) => name in errors);
  return (
    <details className="compose" open={Boolean(rejected)}>
      <summary>{title}</summary>
      <form method="post" action={action} encType="multipart/form-data">
        <p className="muted">{hint}</p>
        {rejected && !isFieldError && <FormError id={`${id}-error`} message={rejected.error.message} />}
        {fields.map((field) => (
          <Field
            key={field.name}
            id={`${id}-${field.name}`}
            value={(rejected?.values ?? values)[field.name]}
            error={errors[field.name]}
            {...field}
          />
        ))}
        <button>{button}</button>
      </form>
    </details>
  );
}

function Field({
  id,
  label,
  hint,
  rows,
  value = '',
  error,
  ...input
}: FieldProps & { id: string; value: string | undefined; error: string | undefined }) {
  const errorId = `${id}-error`;
  const props = {
    id,
    ...input,
    ...(input.type !== 'file' && { defaultValue: value }),
    ...(error && { 'aria-invalid': true, 'aria-describedby': errorId }),
  };
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      {rows ? <textarea {...props} rows={rows} /> : <input {...props} />}
      {error && <FormError id={errorId} message={error} />}
      {hint && <p className="muted">{hint}</p>}
    </div>
  );
}

function FormError({ id, message }: { id: string; message: string }) {
  return (
    <p id={id} className="error" role="alert">
      {message}
    </p>
  );
}

export const FORM_STYLES = `
.compose { margin: 0 0 2rem; background: var(--print); border-radius: 10px; box-shadow: var(--shadow); }
.compose summary { padding: .75rem 1.25rem; border-radius: 10px; font-weight: 600; cursor: pointer; }
.compose form { display: grid; gap: 1.25rem; padding: 0 1.25rem 1.25rem; }
.compose p { margin: 0; } .compose button { justify-self: start; }
.field label { display: block; min-height: 0; margin-bottom: .25rem; font-weight: 600; }
.field input, .field textarea { display: block; width: 100%; height: auto; min-height: 2.75rem; padding: .5rem .75rem; font: inherit;
  line-height: 1.5; color: inherit; background: var(--paper); border: 1px solid var(--muted); border-radius: 8px; }
.field textarea { resize: vertical; } .field ::placeholder { color: var(--muted); opacity: 1; }
.field input[type=file] { padding: .5rem; }
.field ::file-selector-button { margin-right: .75rem; padding: .25rem .75rem; font: inherit; color: var(--ink); background: var(--print);
  border: 1px solid var(--muted); border-radius: 999px; cursor: pointer; }
.compose .field .muted { margin-top: .25rem; font-size: .875rem; }
.field [aria-invalid] { border-color: var(--accent); border-width: 2px; }
.compose .error { margin-top: .25rem; color: var(--accent); font-weight: 600; }
.notice { padding: .75rem 1.25rem; border-left: 3px solid var(--accent); background: var(--print); border-radius: 3px; }
ol.messages li.received { padding-left: 1rem; box-shadow: inset 3px 0 var(--accent); }
.number { white-space: nowrap; }
`;
