import { TextField, type TextFieldProps } from '../../ui/forms/field.tsx';

export function NewPasswordField(props: Partial<TextFieldProps>) {
  return (
    <TextField
      label="Password"
      note="6 characters or more"
      type="password"
      autoComplete="new-password"
      {...props}
    />
  );
}

export function UsernameField(props: Partial<TextFieldProps>) {
  return <TextField label="Username" autoCapitalize="none" spellCheck={false} {...props} />;
}

/** Tells password managers whose password a form has. */
export function HiddenUsername({ email = '' }: { email: string | undefined }) {
  return <input type="email" name="username" autoComplete="username" value={email} readOnly hidden />;
}

interface NameFieldsProps {
  field: (name: 'firstName' | 'lastName' | 'username') => Omit<TextFieldProps, 'label'>;
}

export function NameFields({ field }: NameFieldsProps) {
  return (
    <>
      <div className="grid gap-5 sm:grid-cols-2">
        <TextField
          label="First name"
          note="optional"
          autoComplete="given-name"
          dir="auto"
          {...field('firstName')}
        />
        <TextField
          label="Last name"
          note="optional"
          autoComplete="family-name"
          dir="auto"
          {...field('lastName')}
        />
      </div>
      <UsernameField autoComplete="username" {...field('username')} />
    </>
  );
}
