import { violatedUniqueConstraint } from '../../platform/db/database-errors.ts';
import { ConflictError } from '../../platform/errors.ts';

const EMAIL_TAKEN = 'You already have a contact with this email';

/** A conflict where the address is a contact already, else the error itself. */
export function emailTakenError(error: unknown): unknown {
  if (violatedUniqueConstraint(error) !== 'contacts_recipient_unique') return error;
  return new ConflictError(EMAIL_TAKEN, { email: EMAIL_TAKEN });
}
