import type { FieldErrors, FieldValues, Resolver, ResolverOptions } from 'react-hook-form';

/**
 * A date that is half typed has no value yet, and must not be taken for none: it is refused, beside what the form's
 * own rules refuse.
 */
export function refusingHalfTypedDates<Values extends FieldValues>(
  resolver: Resolver<Values>,
): Resolver<Values> {
  return async (values, context, options) => {
    const result = await resolver(values, context, options);
    const errors = halfTypedErrors(options);
    if (Object.keys(errors).length === 0) return result;
    return { values: {}, errors: { ...result.errors, ...errors } as FieldErrors<Values> };
  };
}

function halfTypedErrors<Values extends FieldValues>({ fields }: ResolverOptions<Values>) {
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
