import { TextField, type TextFieldProps } from '../../ui/field.tsx';

type FieldOf<Name extends string> = (name: Name) => Omit<TextFieldProps, 'label'>;

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

/** A password that is being chosen. */
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

/** What an account's owner is called. */
export function NameFields({ field }: { field: FieldOf<'firstName' | 'lastName' | 'username'> }) {
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
      <TextField
        label="Username"
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        {...field('username')}
      />
    </>
  );
}
