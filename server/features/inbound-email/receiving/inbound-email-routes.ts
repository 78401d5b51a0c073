import { finished } from 'node:stream/promises';
import { Router, type Request } from 'express';
import type { AppContext } from '../../../platform/context.ts';
import {
  AppError,
  MalformedError,
  NotFoundError,
  TooLargeError,
  UnauthorizedError,
} from '../../../platform/errors.ts';
import { isSameSecret } from '../../../platform/security/same-secret.ts';
import { inboundEmailSecret } from '../local-dkim-key.ts';
import { MAX_EMAIL_BYTES } from '../parse/parse-email.ts';
import { EMAIL_PROVIDERS } from './email-providers.ts';
import { EMAIL_TOO_LARGE, findRecipient, receiveEmail } from './receive-email.ts';

/** Mail servers and providers push email here. Authenticated by the shared secret, not by a session. */
export function inboundEmailRoutes(context: AppContext): Router {
  const { config, keyedHash, rateLimits } = context;
  const { inboundEmail } = config;
  const router = Router();
  if (inboundEmail.kind === 'off' || !inboundEmail.takesPushes) return router;
  const provider = EMAIL_PROVIDERS[inboundEmail.provider];
  const secret = inboundEmailSecret(inboundEmail.secret, keyedHash);

  router.post('/api/email/incoming', async (request, response) => {
    // An unread body would corrupt the next request on the same connection.
    response.set('Connection', 'close');
    if (!isSameSecret(secretIn(request), secret))
      throw new UnauthorizedError(undefined, { event: 'forged-signature', details: { of: 'email' } });
    try {
      await receive(request);
    } catch (error) {
      // A client that is still sending may miss the response, and retry in vain.
      await finished(request.resume()).catch(() => undefined);
      throw error;
    }
    response.removeHeader('Connection');
    response.status(202).json({ message: 'Received.' });
  });

  return router;

  async function receive(request: Request): Promise<void> {
    if ((request.get('Content-Encoding') ?? 'identity') !== 'identity')
      throw new AppError(415, 'Please send the message as it is, without compressing it.');
    if (Number(request.get('Content-Length') ?? 0) > MAX_EMAIL_BYTES)
      throw new TooLargeError(EMAIL_TOO_LARGE);
    const ownerIds = await findRecipients(request.get(provider.recipient));
    for (const ownerId of ownerIds) await rateLimits.inboundEmailPerUser.consume(ownerId, 'Too many emails.');
    await receiveEmail(context, ownerIds, {
      body: request,
      envelopeSender: request.get(provider.sender)?.replace(/[<>\s]/g, '') ?? null,
      spfDomain: null,
    });
  }

  async function findRecipients(header: string | undefined): Promise<string[]> {
    const addresses = header?.split(',').filter((each) => each.trim()) ?? [];
    if (addresses.length === 0)
      throw new MalformedError(`Please name the envelope's recipient in ${provider.recipient}.`);
    const owners = await Promise.all(addresses.map((address) => findRecipient(context, address)));
    const ids = new Set(owners.flatMap((owner) => owner?.id ?? []));
    if (ids.size === 0) throw new NotFoundError('No account has this address.');
    return [...ids];
  }
}

function secretIn(request: Request): string {
  return (request.get('Authorization') ?? '').replace(/^Bearer /i, '');
}
