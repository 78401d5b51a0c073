import { cva } from 'class-variance-authority';
import { useId, type ComponentProps } from 'react';

export const fieldClasses = cva(
  'w-full rounded-field border border-edge bg-sheet text-body text-ink placeholder:text-muted ' +
    'aria-invalid:border-danger aria-invalid:ring-1 aria-invalid:ring-danger',
  {
    variants: {
      kind: {
        input: 'h-11 px-3.5 read-only:border-hairline read-only:bg-transparent',
        search: 'h-11 appearance-none px-11.5 [&::-webkit-search-cancel-button]:hidden',
        textarea: 'block px-3.5 py-2.5',
        select: "h-11 appearance-none truncate pr-10 pl-3.5 has-[option[value='']:checked]:text-muted",
      },
    },
    defaultVariants: { kind: 'input' },
  },
);

export interface FieldProps {
  label: string;
  /** Shown beside the label, e.g. 'optional'. */
  note?: string;
  error?: string | undefined;
}

export type TextFieldProps = FieldProps & ComponentProps<'input'>;
type TextAreaFieldProps = FieldProps & ComponentProps<'textarea'>;

export function TextField({ label, note, error, className, ...input }: TextFieldProps) {
  const id = useId();
  return (
    <div className={className}>
      <FieldLabel htmlFor={id} label={label} note={note} />
      <input {...input} {...describeError(id, error)} id={id} className={fieldClasses()} />
      <FieldError id={id} error={error} />
    </div>
  );
}

export function EmailField(props: Partial<TextFieldProps>) {
  return (
    <TextField
      label="Email"
      type="email"
      inputMode="email"
      autoComplete="email"
      autoCapitalize="none"
      {...props}
    />
  );
}

/** For digits from an app or a message. Without maxLength, which would truncate a code that is pasted with spaces. */
export function CodeField(props: TextFieldProps) {
  return (
    <TextField
      inputMode="numeric"
      autoComplete="one-time-code"
      aria-required
      className="[&_input]:max-w-60 [&_input]:text-lead [&_input]:tracking-[0.35em] [&_input]:tabular-nums"
      {...props}
    />
  );
}

export function TextAreaField({ label, note, error, className, ...textarea }: TextAreaFieldProps) {
  const id = useId();
  return (
    <div className={className}>
      <FieldLabel htmlFor={id} label={label} note={note} />
      <textarea
        {...textarea}
        {...describeError(id, error)}
        id={id}
        className={fieldClasses({ kind: 'textarea' })}
      />
      <FieldError id={id} error={error} />
    </div>
  );
}

type FieldLabelProps = { htmlFor: string; label: string; note: string | undefined };

export function FieldLabel({ htmlFor, label, note }: FieldLabelProps) {
  return (
    <div className="mb-1.5 flex items-baseline justify-between gap-3 text-small">
      <label htmlFor={htmlFor} className="font-semibold">
        {label}
      </label>
      {note && <span className="text-muted">{note}</span>}
    </div>
  );
}

export function FieldError({ id, error }: { id: string; error: string | undefined }) {
  if (!error) return null;
  return (
    <p id={`${id}-error`} className="mt-1.5 text-small text-danger">
      {error}
    </p>
  );
}

/** Links a control to its FieldError for screen readers. */
export function describeError(id: string, error: string | undefined) {
  return error ? { 'aria-invalid': true, 'aria-describedby': `${id}-error` } : {};
}
