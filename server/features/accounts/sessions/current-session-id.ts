import type { Request } from 'express';
import type { Db } from '../../../platform/db/database.ts';
import { UnauthorizedError } from '../../../platform/errors.ts';
import { findSessionId } from './session-queries.ts';

/** The public id of the request's session. @throws UnauthorizedError if it has ended since the request began */
export async function currentSessionId(db: Db, request: Request): Promise<string> {
  const id = await findSessionId(db, request.sessionID);
  if (id === null) throw new UnauthorizedError();
  return id;
}
