import { get, type FieldError, type FieldValues, type Path, type UseFormReturn } from 'react-hook-form';

type Form<Values extends FieldValues> = Pick<UseFormReturn<Values>, 'register' | 'formState'>;

/** What ties a form's fields to it: `<TextField {...field('email')} />` has its value and its error from there. */
export function fieldsOf<Values extends FieldValues>({ register, formState }: Form<Values>) {
  return <Name extends Path<Values>>(name: Name) => ({
    ...register(name),
    error: get<object, FieldError | undefined>(formState.errors, name)?.message,
  });
}
