import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Router } from 'express';
import type { AppConfig } from '#shared/app-config';
import { MAX_UPLOAD_BYTES, MAX_UPLOAD_FILES } from '#shared/upload';
import type { AppContext } from '../../platform/context.ts';
import { isFromThisMachine } from '../../platform/http/local-requests.ts';
import { findRegistration } from '../invites/accept-invite.ts';
import { listRemoteSources } from '../remote-sources/list-remote-sources.ts';
import { projectRoot } from '../../platform/project-root.ts';

export function configRoutes(context: Pick<AppContext, 'config' | 'db'>): Router {
  const { access, inboundEmail, limits, remoteSources, sms } = context.config;
  const router = Router();
  const { version } = JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8')) as {
    version: string;
  };
  const config: Omit<AppConfig, 'registration'> = {
    version,
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
    response.json({ ...config, registration } satisfies AppConfig);
  });

  return router;
}
