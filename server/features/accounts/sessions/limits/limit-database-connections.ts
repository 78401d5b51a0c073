import type { RequestHandler } from 'express';
import { clientIp } from '../../../../platform/client-info/client-ip.ts';
import { runForAccount } from '../../../../platform/db/account-pool.ts';

/** Limits the database connections that a user, or the address of a visitor, has at the same time. */
export const limitDatabaseConnections: RequestHandler = (request, _response, next) =>
  runForAccount(request.user?.id ?? clientIp(request), next);
