import { Router } from 'express';
import {
  PasskeyAssertion,
  PasskeyRegistration,
  RenamePasskeyRequest,
  type Passkey,
} from '#shared/accounts/passkey';
import { clientIp } from '../../../platform/client-info/client-ip.ts';
import type { AppContext } from '../../../platform/context.ts';
import { AppError, NotFoundError } from '../../../platform/errors.ts';
import { idParam, parseBody } from '../../../platform/http/validate.ts';
import { completeSignIn } from '../sign-in/complete-sign-in.ts';
import { markIdentityConfirmed, requireConfirmedIdentity } from '../sessions/access/confirmed-identity.ts';
import { rejectDisabled } from '../sessions/reject-disabled.ts';
import { requestSource } from '../../../platform/client-info/request-source.ts';
import { currentUser, requireUser } from '../sessions/access/require-user.ts';
import { presentUser } from '../users/user-presenter.ts';
import { listPasskeys, renamePasskey, type PasskeyRow } from './passkey-queries.ts';
import {
  addPasskey,
  removePasskey,
  startPasskeyAssertion,
  startPasskeyRegistration,
  verifyPasskey,
} from './passkey-service.ts';

export function passkeyRoutes(context: AppContext): Router {
  const { db, rateLimits, securityLog } = context;
  const router = Router();

  router.post('/api/login/passkey/options', async (request, response) => {
    await rateLimits.passkeyChallengePerIp.consume(clientIp(request));
    response.json(await startPasskeyAssertion(context));
  });

  // A passkey replaces both factors: the device, and what unlocks it.
  router.post('/api/login/passkey', async (request, response) => {
    const assertion = parseBody(request, PasskeyAssertion);
    const user = await verifyPasskey(context, assertion, null).catch((error: unknown) => {
      if (error instanceof AppError && error.status === 401)
        securityLog.record('passkey-check', 'failure', { request });
      throw error;
    });
    rejectDisabled(user);
    await completeSignIn(context, request, response, user, { details: { method: 'passkey' } });
    response.json(presentUser(context, user));
  });

  router.post('/api/session/proof/passkey', requireUser, async (request, response) => {
    const assertion = parseBody(request, PasskeyAssertion);
    await securityLog.attempt('passkey-check', { request }, () =>
      verifyPasskey(context, assertion, currentUser(request).id),
    );
    markIdentityConfirmed(request, context.clock);
    response.status(204).end();
  });

  router.get('/api/user/passkeys', requireUser, async (request, response) => {
    response.json((await listPasskeys(db, currentUser(request).id)).map(presentPasskey));
  });

  router.post(
    '/api/user/passkeys/options',
    requireUser,
    requireConfirmedIdentity(context),
    async (request, response) => {
      response.json(await startPasskeyRegistration(context, currentUser(request)));
    },
  );

  router.post('/api/user/passkeys', requireUser, async (request, response) => {
    const registration = parseBody(request, PasskeyRegistration);
    const passkey = await securityLog.attempt('passkey-added', { request }, () =>
      addPasskey(context, currentUser(request), registration, requestSource(request, context.clock)),
    );
    response.status(201).json(presentPasskey(passkey));
  });

  router.patch('/api/user/passkeys/:id', requireUser, async (request, response) => {
    const id = idParam(request);
    const { name } = parseBody(request, RenamePasskeyRequest);
    const passkey = await renamePasskey(db, currentUser(request).id, id, name);
    if (!passkey) throw new NotFoundError();
    response.json(presentPasskey(passkey));
  });

  router.delete(
    '/api/user/passkeys/:id',
    requireUser,
    requireConfirmedIdentity(context),
    async (request, response) => {
      const source = requestSource(request, context.clock);
      await removePasskey(context, currentUser(request), idParam(request), source);
      securityLog.record('passkey-removed', 'success', { request });
      response.status(204).end();
    },
  );

  return router;
}

function presentPasskey({ id, name, createdAt, lastUsedAt }: PasskeyRow): Passkey {
  return {
    id,
    name,
    createdAt: createdAt.toISOString(),
    lastUsedAt: lastUsedAt?.toISOString() ?? null,
  };
}
