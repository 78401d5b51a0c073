import type { FieldValues, Path, UseFormReturn } from 'react-hook-form';
import { fieldMessage, serverMessage } from '../../lib/api-client.ts';
import { isLostSession } from '../../lib/lost-session.ts';
import { showFieldErrors } from '../../lib/show-field-errors.ts';
import { isUnreachable, UNREACHABLE } from '../../lib/unreachable.ts';
import { showToast } from '../../ui/toast-store.ts';

/**
 * Says in a toast why a form was refused, and says it at the form too, unless a field of it does.
 * @param title what the toast says, and its reason when there is no other
 */
export function showFormFailure<Values extends FieldValues>(
  error: unknown,
  title: string,
  names: readonly Path<Values>[],
  { setError }: UseFormReturn<Values>,
): void {
  if (isLostSession(error)) return;
  const reason = serverMessage(error) ?? (isUnreachable(error) ? UNREACHABLE : title);
  showToast({ title, description: reason, variant: 'destructive' });
  showFieldErrors(error, names, setError);
  if (!names.some((name) => fieldMessage(error, name))) setError('root', { message: reason });
}

/** Why the form was refused. */
export function FormFailure({ message }: { message: string | undefined }) {
  if (!message) return null;
  return (
    <p role="alert" className="border-l-2 border-danger py-0.5 pl-3.5 text-danger">
      {message}
    </p>
  );
}
