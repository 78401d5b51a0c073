import type { FieldValues, Path, UseFormSetError } from 'react-hook-form';
import { ApiError } from './api-client.ts';

/** Puts what the server says about single fields beside them; the first one gets the focus. */
export function showFieldErrors<Values extends FieldValues>(
  error: unknown,
  names: readonly Path<Values>[],
  setError: UseFormSetError<Values>,
): void {
  if (!(error instanceof ApiError)) return;
  const wrong = names.filter((name) => error.body?.fields?.[name]);
  wrong.forEach((name, index) =>
    setError(name, { message: error.body?.fields?.[name] ?? '' }, { shouldFocus: index === 0 }),
  );
}
