import { Router } from 'express';
import type { AppConfig } from '#shared/app-config';
import { MAX_UPLOAD_BYTES, MAX_UPLOAD_FILES } from '#shared/upload';
import type { AppContext } from '../../platform/context.ts';
import { findRelyingParty } from '../passkeys/relying-party.ts';
import { listRemoteSources } from '../remote-sources/list-remote-sources.ts';
import { releaseVersion } from '../../platform/project-root.ts';

export function configRoutes(context: Pick<AppContext, 'baseUrl' | 'config'>): Router {
  const { access, inboundEmail, limits, oidc, remoteSources, sms } = context.config;
  const router = Router();
  const config: Omit<AppConfig, 'passkeyOrigin'> = {
    version: releaseVersion,
    registration: access.registration,
    oidcName: oidc?.name ?? null,
    phoneNumber: sms.phoneNumber,
    inboundEmailEnabled: inboundEmail.kind !== 'off',
    caricaturesEnabled: limits.caricaturesPerDay > 0,
    remoteSources: listRemoteSources(remoteSources),
    upload: { maxBytes: MAX_UPLOAD_BYTES, maxFiles: MAX_UPLOAD_FILES },
  };

  router.get('/api/config', (_request, response) => {
    // Without PUBLIC_URL it has the port, which is known once the server listens.
    const passkeyOrigin = findRelyingParty(context)?.origin ?? null;
    response.json({ ...config, passkeyOrigin } satisfies AppConfig);
  });

  return router;
}
