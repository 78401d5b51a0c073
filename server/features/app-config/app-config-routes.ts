import { Router } from 'express';
import type { AppConfig } from '#shared/app-config';
import { MAX_UPLOAD_BYTES, MAX_UPLOAD_FILES } from '#shared/upload';
import type { AppContext } from '../../platform/context.ts';
import { isFromThisMachine } from '../../platform/http/local-requests.ts';
import { findRegistration } from '../invites/accept-invite.ts';
import { findRelyingParty } from '../passkeys/relying-party.ts';
import { listRemoteSources } from '../remote-sources/list-remote-sources.ts';
import { releaseVersion } from '../../platform/project-root.ts';

export function configRoutes(context: Pick<AppContext, 'baseUrl' | 'config' | 'db'>): Router {
  const { access, inboundEmail, limits, oidc, remoteSources, sms } = context.config;
  const router = Router();
  const config: Omit<AppConfig, 'registration' | 'passkeyOrigin'> = {
    version: releaseVersion,
    oidcName: oidc?.name ?? null,
    phoneNumber: sms.phoneNumber,
    inboundEmailEnabled: inboundEmail.kind !== 'off',
    caricaturesEnabled: limits.caricaturesPerDay > 0,
    remoteSources: listRemoteSources(remoteSources),
    upload: { maxBytes: MAX_UPLOAD_BYTES, maxFiles: MAX_UPLOAD_FILES },
  };

  router.get('/api/config', async (request, response) => {
    // Answers even if the database is down.
    const registration = await findRegistration(context, {
      isFromThisMachine: isFromThisMachine(request),
    }).catch(() => access.registration);
    // Without PUBLIC_URL it has the port, which is known once the server listens.
    const passkeyOrigin = findRelyingParty(context)?.origin ?? null;
    response.json({ ...config, registration, passkeyOrigin } satisfies AppConfig);
  });

  return router;
}
