import type { FieldValues, Path, UseFormSetError } from 'react-hook-form';
import { fieldMessage } from './api-client.ts';

/** Puts what the server says about single fields beside them; the first one gets the focus. */
export function showFieldErrors<Values extends FieldValues>(
  error: unknown,
  names: readonly Path<Values>[],
  setError: UseFormSetError<Values>,
): void {
  const wrong = names.filter((name) => fieldMessage(error, name));
  wrong.forEach((name, index) =>
    setError(name, { message: fieldMessage(error, name) ?? '' }, { shouldFocus: index === 0 }),
  );
}
