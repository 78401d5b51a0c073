import { Router } from 'express';
import { AllowedSenders } from '#shared/inbound-email';
import type { AppContext } from '../../platform/context.ts';
import { NotFoundError } from '../../platform/errors.ts';
import { currentUser, requireUser } from '../sessions/require-user.ts';
import { parseBody } from '../../platform/http/validate.ts';
import { listAllowedSenders, replaceAllowedSenders } from './allowed-sender-queries.ts';
import { rejectInstallationAddress } from './inbound-email-address.ts';
import { presentUser } from './user-presenter.ts';
import { lockUser, replaceInboundToken } from './user-queries.ts';

export function inboundEmailSettingsRoutes(
  context: Pick<AppContext, 'config' | 'db' | 'mailer' | 'securityLog'>,
): Router {
  const { config, db, securityLog } = context;
  const router = Router();

  router.post('/api/user/inbound-email/reset', requireUser, async (request, response) => {
    if (config.inboundEmail.kind === 'off') throw new NotFoundError('Photos by email are turned off.');
    const user = await replaceInboundToken(db, currentUser(request).id);
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
    await db.transaction(async (tx) => {
      await lockUser(tx, ownerId);
      await replaceAllowedSenders(tx, ownerId, addresses);
    });
    securityLog.record('allowed-senders-change', 'success', { request });
    response.json({ addresses: await listAllowedSenders(db, ownerId) });
  });

  return router;
}
