import { Router } from 'express';
import type { AdminBackup } from '#shared/backup';
import type { AppContext } from '../../platform/context.ts';
import { requireAdmin } from '../sessions/require-admin.ts';
import { findBackupState } from './backup-state.ts';

export function backupRoutes(context: Pick<AppContext, 'config' | 'db' | 'clock'>): Router {
  const router = Router();

  router.get('/api/admin/backup', requireAdmin, async (_request, response) => {
    const state = await findBackupState(context);
    response.json({ backup: state?.backup ?? null } satisfies AdminBackup);
  });

  return router;
}
