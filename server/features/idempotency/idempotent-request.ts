import type { Request } from 'express';
import { MalformedError } from '../../platform/errors.ts';
import type { RepeatableCall } from './with-idempotency-key.ts';
import { currentUser } from '../sessions/require-user.ts';

const KEY = /^[\x21-\x7e]{1,200}$/;

/**
 * The call that the request's `Idempotency-Key` makes repeatable; null without one.
 * @param call the route, like `POST /api/pets`
 * @throws MalformedError for a key that is none
 */
export function repeatableCall(
  request: Request,
  call: string,
  requestHash: () => string,
): RepeatableCall | null {
  const key = request.get('Idempotency-Key');
  if (key === undefined) return null;
  if (!KEY.test(key)) {
    throw new MalformedError('The Idempotency-Key must be 1 to 200 visible ASCII characters.');
  }
  return { ownerId: currentUser(request).id, call, key, requestHash: requestHash() };
}
