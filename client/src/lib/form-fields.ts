import {
  get,
  type FieldError,
  type FieldErrors,
  type FieldValues,
  type Path,
  type Resolver,
  type ResolverOptions,
  type UseFormReturn,
} from 'react-hook-form';
import { fieldMessage } from './api-client.ts';

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

/** Adds errors for incomplete dates, which the browser reports as empty values. */
export function rejectIncompleteDates<Values extends FieldValues>(
  resolver: Resolver<Values>,
): Resolver<Values> {
  return async (values, context, options) => {
    const result = await resolver(values, context, options);
    const errors = incompleteDateErrors(options);
    if (Object.keys(errors).length === 0) return result;
    return { values: {}, errors: { ...result.errors, ...errors } as FieldErrors<Values> };
  };
}

function incompleteDateErrors<Values extends FieldValues>({ fields }: ResolverOptions<Values>) {
  const incomplete = Object.values(fields).filter(
    ({ ref }) => ref instanceof HTMLInputElement && ref.validity.badInput,
  );
  return Object.fromEntries(
    incomplete.map(({ name, ref }) => [
      name,
      {
        type: 'badInput',
        message: `Please enter a valid ${ref.type === 'time' ? 'time' : 'date'}`,
        ref,
      },
    ]),
  );
}
