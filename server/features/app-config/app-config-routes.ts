import { Router } from 'express';
import type { AppConfig } from '#shared/api/app-config';
import { MAX_UPLOAD_BYTES, MAX_UPLOAD_FILES } from '#shared/transfers/upload';
import type { AppContext } from '../../platform/context.ts';
import { storedKinds } from '../dev-outbox/dev-outbox-access.ts';
import { findRelyingParty } from '../accounts/passkeys/relying-party.ts';
import { isFromThisMachine } from '../../platform/http/security/local-requests.ts';
import { listRemoteSources } from '../remote-sources/list-remote-sources.ts';
import { releaseVersion } from '../../platform/process/project-root.ts';

export function configRoutes(context: Pick<AppContext, 'baseUrl' | 'config' | 'devOutboxKey'>): Router {
  const { access, inboundEmail, limits, oidc, remoteSources, sms } = context.config;
  const router = Router();
  const stored = storedKinds(context.config);
  const config: Omit<AppConfig, 'passkeyOrigin' | 'outboxEnabled'> = {
    version: releaseVersion,
    registration: access.registration,
    oidcName: oidc?.name ?? null,
    phoneNumber: sms.phoneNumber,
    emailEnabled: !stored.includes('email'),
    smsEnabled: !stored.includes('sms'),
    inboundEmailEnabled: inboundEmail.kind !== 'off',
    caricaturesEnabled: limits.caricaturesPerDay > 0,
    remoteSources: listRemoteSources(remoteSources),
    upload: { maxBytes: MAX_UPLOAD_BYTES, maxFiles: MAX_UPLOAD_FILES },
  };

  router.get('/api/config', (request, response) => {
    // Without PUBLIC_URL it has the port, which is known once the server listens.
    const passkeyOrigin = findRelyingParty(context)?.origin ?? null;
    const outboxEnabled = context.devOutboxKey !== null && isFromThisMachine(request);
    response.json({ ...config, passkeyOrigin, outboxEnabled } satisfies AppConfig);
  });

  return router;
}
