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

/** What ties a form's fields to it: `<TextField {...field('email')} />` has its value and its error from there. */
export function bindFields<Values extends FieldValues>({
  register,
  formState,
}: Form<Values, 'register' | 'formState'>) {
  return <Name extends Path<Values>>(name: Name) => ({
    ...register(name),
    error: get<object, FieldError | undefined>(formState.errors, name)?.message,
  });
}

/**
 * Puts what the server says about single fields beside them; the first one gets the focus.
 * @returns whether it said something about a field of this form
 */
export function showFieldErrors<Values extends FieldValues>(
  error: unknown,
  { getValues, setError }: Form<Values, 'getValues' | 'setError'>,
): boolean {
  const names = Object.keys(getValues()) as Path<Values>[];
  const wrong = names.filter((name) => fieldMessage(error, name));
  wrong.forEach((name, index) =>
    setError(name, { message: fieldMessage(error, name) ?? '' }, { shouldFocus: index === 0 }),
  );
  return wrong.length > 0;
}

/**
 * A date that is half typed has no value yet, and must not be taken for none: it is refused, beside what the form's
 * own rules refuse.
 */
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
  const halfTyped = Object.values(fields).filter(
    ({ ref }) => ref instanceof HTMLInputElement && ref.validity.badInput,
  );
  return Object.fromEntries(
    halfTyped.map(({ name, ref }) => [
      name,
      {
        type: 'badInput',
        message: `Please enter a ${ref.type === 'time' ? 'time' : 'date'} that exists`,
        ref,
      },
    ]),
  );
}
