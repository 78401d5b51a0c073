import { Router } from 'express';
import { AllowedSenders } from '#shared/transfers/inbound-email';
import type { AppContext } from '../../platform/context.ts';
import { NotFoundError } from '../../platform/errors.ts';
import { requestSource } from '../../platform/client-info/request-source.ts';
import { currentUser, requireUser } from '../accounts/sessions/access/require-user.ts';
import { parseBody } from '../../platform/http/validate.ts';
import {
  listAllowedSenders,
  replaceAllowedSenders,
  TOO_MANY_CHANGES,
} from './sender/allowed-sender-queries.ts';
import { rejectInstallationAddress } from '../accounts/users/inbound-email-address.ts';
import { notifyOwner } from '../accounts/users/send-security-notice-job.ts';
import { presentUser } from '../accounts/users/user-presenter.ts';
import { lockUserRow, replaceInboundToken } from '../accounts/users/user-queries.ts';

export function inboundEmailSettingsRoutes(
  context: Pick<AppContext, 'clock' | 'config' | 'db' | 'jobs' | 'mailer' | 'rateLimits' | 'securityLog'>,
): Router {
  const { config, db, rateLimits, securityLog } = context;
  const router = Router();

  router.post('/api/user/inbound-email/reset', requireUser, async (request, response) => {
    if (config.inboundEmail.kind === 'off') throw new NotFoundError('Photos by email are turned off.');
    await rateLimits.inboundSettingsPerUser.consume(currentUser(request).id, TOO_MANY_CHANGES);
    const user = await db.transaction(async (tx) => {
      const changed = await replaceInboundToken(tx, currentUser(request).id);
      const source = requestSource(request, context.clock);
      await notifyOwner(context, tx, changed, 'inbound-address-changed', source);
      return changed;
    });
    securityLog.record('inbound-address-change', 'success', { request });
    response.json(presentUser(context, user));
  });

  router.get('/api/user/allowed-senders', requireUser, async (request, response) => {
    response.json({ addresses: await listAllowedSenders(db, currentUser(request).id) });
  });

  router.put('/api/user/allowed-senders', requireUser, async (request, response) => {
    const { id: ownerId } = currentUser(request);
    const { addresses } = parseBody(request, AllowedSenders);
    for (const address of addresses) rejectInstallationAddress(config, address, 'addresses');
    await rateLimits.inboundSettingsPerUser.consume(ownerId, TOO_MANY_CHANGES);
    const isChanged = await db.transaction(async (tx) => {
      const owner = await lockUserRow(tx, ownerId);
      const before = await listAllowedSenders(tx, ownerId);
      await replaceAllowedSenders(tx, ownerId, addresses);
      const after = await listAllowedSenders(tx, ownerId);
      if (before.join() === after.join()) return false;
      await notifyOwner(context, tx, owner, 'allowed-senders-changed', requestSource(request, context.clock));
      return true;
    });
    if (isChanged) securityLog.record('allowed-senders-change', 'success', { request });
    response.json({ addresses: await listAllowedSenders(db, ownerId) });
  });

  return router;
}
