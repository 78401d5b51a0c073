import { timingSafeEqual } from 'node:crypto';
import { finished } from 'node:stream/promises';
import { Router, type Request } from 'express';
import type { AppContext } from '../../platform/context.ts';
import {
  AppError,
  MalformedError,
  NotFoundError,
  TooLargeError,
  UnauthorizedError,
} from '../../platform/errors.ts';
import { inboundSecretOf } from './local-dkim-key.ts';
import { providerOf, type MailProvider } from './email-providers.ts';
import { EMAIL_MAX_BYTES } from './parse-email.ts';
import { EMAIL_TOO_LARGE, findRecipient, receiveEmail } from './receive-email.ts';

/** Where mail servers and providers push mail to. The shared secret is the proof: no session. */
export function emailReceiverRoutes(
  context: Pick<
    AppContext,
    'config' | 'db' | 'storage' | 'jobs' | 'clock' | 'dns' | 'mailer' | 'keyedHash' | 'rateLimits'
  >,
): Router {
  const { config, keyedHash, rateLimits } = context;
  const { inboundEmail } = config;
  const router = Router();
  if (inboundEmail.kind === 'off' || !inboundEmail.takesPushes) return router;
  const provider = providerOf(inboundEmail);
  const secret = inboundSecretOf(inboundEmail.secret, keyedHash);

  router.post('/api/email/incoming', async (request, response) => {
    // Nobody reads the rest of what a stranger sends, and a request after it on the same connection would be lost.
    response.set('Connection', 'close');
    if (!isSame(secretIn(request, provider), secret, keyedHash)) throw new UnauthorizedError();
    try {
      await receive(request);
    } catch (error) {
      // Who is still sending may not hear the answer, and would try again for nothing.
      await readRest(request);
      throw error;
    }
    response.removeHeader('Connection');
    response.status(202).json({ message: 'Received.' });
  });

  return router;

  async function receive(request: Request): Promise<void> {
    // What is compressed would be kept as it is, and no message be found in it.
    if ((request.get('Content-Encoding') ?? 'identity') !== 'identity')
      throw new AppError(415, 'Please send the message as it is, without compressing it.');
    if (Number(request.get('Content-Length') ?? 0) > EMAIL_MAX_BYTES)
      throw new TooLargeError(EMAIL_TOO_LARGE);
    const ownerIds = await findRecipients(request.get(provider.recipient));
    for (const ownerId of ownerIds) await rateLimits.inboundEmailPerUser.consume(ownerId, 'Too much mail.');
    await receiveEmail(context, ownerIds, {
      body: request,
      envelopeSender: envelopeSenderIn(request, provider),
      spfDomain: null,
    });
  }

  async function findRecipients(header: string | undefined): Promise<string[]> {
    const addresses = header?.split(',').filter((each) => each.trim()) ?? [];
    if (addresses.length === 0)
      throw new MalformedError(`Please name the envelope's recipient in ${provider.recipient}.`);
    const owners = await Promise.all(addresses.map((address) => findRecipient(context, address)));
    const ids = new Set(owners.flatMap((owner) => owner?.id ?? []));
    if (ids.size === 0) throw new NotFoundError('Nobody has this address.');
    return [...ids];
  }
}

/** For as long as a request may take; no longer than its connection lasts. */
async function readRest(request: Request): Promise<void> {
  await finished(request.resume()).catch(() => undefined);
}

function secretIn(request: Request, { secret }: MailProvider): string {
  return (request.get(secret) ?? '').replace(/^Bearer /i, '');
}

function envelopeSenderIn(request: Request, { sender }: MailProvider): string | null {
  const told = request.get(sender);
  return told === undefined ? null : told.replace(/[<>\s]/g, '');
}

/** In a time that tells nothing of either, their lengths included. */
function isSame(given: string, secret: string, keyedHash: AppContext['keyedHash']): boolean {
  const [one, other] = [given, secret].map((each) => Buffer.from(keyedHash('compare', each)));
  return one !== undefined && other !== undefined && timingSafeEqual(one, other);
}
