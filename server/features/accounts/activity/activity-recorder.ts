import type { Logger } from 'pino';
import { v7 as uuidv7 } from 'uuid';
import { toNetwork } from '../../../platform/client-info/client-ip.ts';
import { describeDevice } from '../../../platform/client-info/describe-device.ts';
import { runWithoutAccount } from '../../../platform/db/account-pool.ts';
import type { Db } from '../../../platform/db/database.ts';
import type { SecurityRecord, SecuritySource } from '../../../platform/logging/security-log.ts';
import type { Clock } from '../../../platform/time/clock.ts';
import { ADMIN_EVENTS, toActivityKind } from './activity-kind.ts';
import { insertActivity, type ActivityRow } from './activity-queries.ts';

const FLUSH_INTERVAL_MS = 500;
/** While the database is slow or down. */
const MAX_WAITING = 1000;

/** Stores events after their requests, so that it neither slows nor fails them. */
export type ActivityRecorder = {
  record(record: SecurityRecord, source: SecuritySource): void;
  /** Resolves when everything recorded before is stored, or could not be. */
  flush(): Promise<void>;
};

export function createActivityRecorder({
  db,
  clock,
  logger,
}: {
  db: Db;
  clock: Clock;
  logger: Logger;
}): ActivityRecorder {
  let waiting: ActivityRow[] = [];
  let timer: NodeJS.Timeout | undefined;
  let flushing = Promise.resolve();

  return { record, flush };

  function record(security: SecurityRecord, { request }: SecuritySource): void {
    const { userId, actorId, event } = security;
    const kind = toActivityKind(security);
    if (userId === null || kind === null || waiting.length >= MAX_WAITING) return;
    // An administrator's device is not the owner's to know.
    const isByAdmin = actorId !== null && ADMIN_EVENTS.has(event);
    const origin = isByAdmin ? undefined : request;
    waiting.push({
      id: uuidv7(),
      ownerId: userId,
      kind,
      isByAdmin,
      device: origin ? describeDevice(origin.headers?.['user-agent']) : null,
      network: origin ? toNetwork({ ip: origin.ip }) : null,
      createdAt: clock.now(),
    });
    timer ??= setTimeout(() => void flush(), FLUSH_INTERVAL_MS).unref();
  }

  function flush(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    // The events are of many accounts.
    flushing = runWithoutAccount(() => flushing.then(store));
    return flushing;
  }

  async function store(): Promise<void> {
    const rows = waiting;
    waiting = [];
    if (rows.length === 0) return;
    try {
      await insertActivity(db, rows);
    } catch (error) {
      logger.warn({ err: error, count: rows.length }, 'Events of accounts could not be stored');
    }
  }
}
