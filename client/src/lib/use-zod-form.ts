import { zodResolver } from '@hookform/resolvers/zod';
import {
  useForm,
  type DefaultValues,
  type FieldErrors,
  type FieldValues,
  type Resolver,
  type ResolverOptions,
} from 'react-hook-form';
import type * as z from 'zod/mini';
import { bindFields } from './form-fields.ts';

/** A form whose values the schema checks, for `<Form>`, and `field`, which binds its fields. */
export function useZodForm<Input extends FieldValues, Output>(
  schema: z.ZodMiniType<Output, Input>,
  defaultValues: DefaultValues<Input>,
) {
  const form = useForm<Input, unknown, Output>({
    resolver: rejectIncompleteDates<Input, Output>(zodResolver(schema)),
    defaultValues,
  });
  return { form, field: bindFields(form) };
}

/** Adds errors for incomplete dates, which the browser reports as empty values. */
function rejectIncompleteDates<Input extends FieldValues, Output>(
  resolver: Resolver<Input, unknown, Output>,
): Resolver<Input, unknown, Output> {
  return async (values, context, options) => {
    const result = await resolver(values, context, options);
    const errors = incompleteDateErrors(options);
    if (Object.keys(errors).length === 0) return result;
    return { values: {}, errors: { ...result.errors, ...errors } as FieldErrors<Input> };
  };
}

function incompleteDateErrors<Input extends FieldValues>({ fields }: ResolverOptions<Input>) {
  const incomplete = Object.values(fields).filter(
    ({ ref }) => isIncomplete(ref) && ['date', 'time'].includes(ref.type ?? ''),
  );
  return Object.fromEntries(
    incomplete.map(({ name, ref }) => [
      name,
      { type: 'badInput', message: `Please enter a valid ${ref.type}`, ref },
    ]),
  );
}

/** Half typed, which the browser reports as an empty value. */
export function isIncomplete(field: unknown): boolean {
  return field instanceof HTMLInputElement && field.validity.badInput;
}
