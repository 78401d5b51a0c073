import { Router, type Request, type Response } from 'express';
import type { DependencyState, Readiness } from '#shared/api/health';
import type { BackupState } from '#shared/transfers/backup';
import type { AppContext } from '../../platform/context.ts';
import { isFromThisMachine } from '../../platform/http/security/local-requests.ts';
import { isSameSecret } from '../../platform/security/same-secret.ts';

const CHECK_TIMEOUT_MS = 2_000;
/** The checks are public: however often somebody asks, they run at most once in this time. */
const MAX_AGE_MS = 2_000;

type Dependencies = Record<'database' | 'storage' | 'jobs', DependencyState>;

/** For load balancers and monitoring. */
export function healthRoutes(
  context: Pick<AppContext, 'config' | 'storage' | 'diskSpace' | 'jobs'> & {
    checkDatabase: () => Promise<void>;
    isDraining: () => boolean;
    warnings: () => string[];
    /** Null if none are configured. */
    findBackupState: () => Promise<{ backup: BackupState; warnings: string[] } | null>;
  },
): Router {
  const { healthToken } = context.config.http;
  const router = Router();
  let checked: { at: number; dependencies: Promise<Dependencies> } | undefined;

  function checkDependencies(): Promise<Dependencies> {
    const now = performance.now();
    if (!checked || now - checked.at >= MAX_AGE_MS) checked = { at: now, dependencies: runChecks() };
    return checked.dependencies;
  }

  async function runChecks(): Promise<Dependencies> {
    const [database, storage, jobs] = await Promise.all([
      checkState(context.checkDatabase()),
      checkState(context.storage.check()),
      checkState(context.jobs.check()),
    ]);
    return { database, storage, jobs };
  }

  async function readDetails(dependencies: Dependencies): Promise<Omit<Readiness, 'status'>> {
    const diskWarning = await context.diskSpace.warning();
    const isDatabaseUp = dependencies.database === 'up';
    const state = isDatabaseUp ? await context.findBackupState().catch(() => null) : null;
    const warnings = [
      ...context.warnings(),
      ...(diskWarning ? [diskWarning] : []),
      ...(state?.warnings ?? []),
    ];
    return { dependencies, warnings, ...(state && { backup: state.backup }) };
  }

  function mayReadDetails(request: Request): boolean {
    const isTokenSent = healthToken && isSameSecret(request.get('Authorization'), `Bearer ${healthToken}`);
    return isTokenSent || isFromThisMachine(request);
  }

  router.get('/api/health', (_request, response) => {
    response.set('Cache-Control', 'no-store').json({ status: 'ok' });
  });

  router.get('/api/health/ready', async (request, response) => {
    // A load balancer must hear it even if a dependency does not answer.
    if (context.isDraining()) return sendReadiness(response, { status: 'draining' });
    const dependencies = await checkDependencies();
    const details = mayReadDetails(request) && (await readDetails(dependencies));
    const isUp = Object.values(dependencies).every((state) => state === 'up');
    const status = context.isDraining() ? 'draining' : isUp ? 'ready' : 'unavailable';
    sendReadiness(response, { status, ...details });
  });

  return router;
}

function sendReadiness(response: Response, readiness: Readiness): void {
  response
    .status(readiness.status === 'ready' ? 200 : 503)
    .set('Cache-Control', 'no-store')
    .json(readiness);
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
