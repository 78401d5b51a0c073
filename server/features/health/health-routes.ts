import { Router } from 'express';
import type { DependencyState, Readiness } from '#shared/health';
import type { AppContext } from '../../platform/context.ts';

const CHECK_TIMEOUT_MS = 2_000;

/** For load balancers and monitoring. Public, so it tells only up or down. */
export function healthRoutes(
  context: Pick<AppContext, 'storage' | 'jobs'> & {
    checkDatabase: () => Promise<void>;
    isDraining: () => boolean;
  },
): Router {
  const router = Router();

  router.get('/api/health', (_request, response) => {
    response.set('Cache-Control', 'no-store').json({ status: 'ok' });
  });

  router.get('/api/health/ready', async (_request, response) => {
    const [database, storage, jobs] = await Promise.all([
      checkState(context.checkDatabase()),
      checkState(context.storage.check()),
      checkState(context.jobs.check()),
    ]);
    const isUp = [database, storage, jobs].every((state) => state === 'up');
    const status = context.isDraining() ? 'draining' : isUp ? 'ready' : 'unavailable';
    const readiness: Readiness = { status, dependencies: { database, storage, jobs } };
    response
      .status(status === 'ready' ? 200 : 503)
      .set('Cache-Control', 'no-store')
      .json(readiness);
  });

  return router;
}

async function checkState(check: Promise<void>): Promise<DependencyState> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<DependencyState>((resolve) => {
    timer = setTimeout(() => resolve('down'), CHECK_TIMEOUT_MS);
  });
  const state = check.then(
    (): DependencyState => 'up',
    (): DependencyState => 'down',
  );
  return Promise.race([state, timeout]).finally(() => clearTimeout(timer));
}
