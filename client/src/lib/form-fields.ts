import { get, type FieldError, type FieldValues, type Path, type UseFormReturn } from 'react-hook-form';
import { fieldMessage } from './api/api-client.ts';

type Form<Values extends FieldValues, Part extends keyof UseFormReturn> = Pick<UseFormReturn<Values>, Part>;

/** `<TextField {...field('email')} />` gets its value and error from the form. */
export function bindFields<Values extends FieldValues>({
  register,
  formState,
}: Form<Values, 'register' | 'formState'>) {
  return <Name extends Path<Values>>(name: Name) => ({
    ...register(name),
    error: get<object, FieldError | undefined>(formState.errors, name)?.message,
  });
}

/** Shows the server's messages at their fields and focuses the first. @returns whether the form has such a field */
export function showFieldErrors<Values extends FieldValues>(
  error: unknown,
  { getValues, setError }: Form<Values, 'getValues' | 'setError'>,
): boolean {
  const names = Object.keys(getValues()) as Path<Values>[];
  const invalid = names.filter((name) => fieldMessage(error, name));
  invalid.forEach((name, index) =>
    setError(name, { message: fieldMessage(error, name) ?? '' }, { shouldFocus: index === 0 }),
  );
  return invalid.length > 0;
}
