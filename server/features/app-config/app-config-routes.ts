import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Router } from 'express';
import type { AppConfig } from '#shared/app-config';
import { MAX_UPLOAD_BYTES, MAX_UPLOAD_FILES } from '#shared/upload';
import type { AppContext } from '../../platform/context.ts';
import { listRemoteSources } from '../remote-sources/list-remote-sources.ts';
import { projectRoot } from '../../platform/project-root.ts';

export function configRoutes({
  config: { access, inboundEmail, limits, remoteSources, sms },
}: Pick<AppContext, 'config'>): Router {
  const router = Router();
  const { version } = JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8')) as {
    version: string;
  };
  const config: AppConfig = {
    version,
    registration: access.registration,
    phoneNumber: sms.phoneNumber,
    inboundEmailEnabled: inboundEmail.kind !== 'off',
    caricaturesEnabled: limits.caricaturesPerDay > 0,
    remoteSources: listRemoteSources(remoteSources),
    upload: { maxBytes: MAX_UPLOAD_BYTES, maxFiles: MAX_UPLOAD_FILES },
  };

  router.get('/api/config', (_request, response) => {
    response.json(config);
  });

  return router;
}
