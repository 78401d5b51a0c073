import type { Request } from 'express';
import { MalformedError } from '../../platform/errors.ts';
import type { IdempotentRequest } from './with-idempotency-key.ts';
import { currentUser } from '../accounts/sessions/access/require-user.ts';

const KEY = /^[\x21-\x7e]{1,200}$/;

/** `endpoint` is the method and route, like `POST /api/pets`. @throws MalformedError for an invalid key */
export function toIdempotentRequest(
  request: Request,
  endpoint: string,
  requestHash: () => string,
): IdempotentRequest | null {
  const key = request.get('Idempotency-Key');
  if (key === undefined) return null;
  if (!KEY.test(key)) {
    throw new MalformedError('The Idempotency-Key must be 1 to 200 visible ASCII characters.');
  }
  return { ownerId: currentUser(request).id, endpoint, key, requestHash: requestHash() };
}
