import { Router } from 'express';
import type { AdminBackup } from '#shared/transfers/backup';
import type { AppContext } from '../../platform/context.ts';
import { requireAdmin } from '../accounts/sessions/access/require-admin.ts';
import { findBackupState } from './nightly/backup-state.ts';

export function backupRoutes(context: Pick<AppContext, 'config' | 'db' | 'clock'>): Router {
  const router = Router();

  router.get('/api/admin/backup', requireAdmin, async (_request, response) => {
    const state = await findBackupState(context);
    response.json({ backup: state?.backup ?? null } satisfies AdminBackup);
  });

  return router;
}
