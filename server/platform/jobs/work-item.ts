import { and, eq, isNotNull, isNull, lt, or, sql } from 'drizzle-orm';
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core';
import { v7 as uuidv7 } from 'uuid';
import type { AppContext } from '../context.ts';
import { ownedBy } from '../db/conditions.ts';
import type { Db, Tx } from '../db/database.ts';
import { DECODE_RETRY_SECONDS, DecodeTimeoutError, InsufficientStorageError } from '../errors.ts';

/*
 * A work item is a row that takes minutes or hours: a PDF, an export, an import. One worker at a time claims it, and
 * writes a heartbeat as long as it lives. The queue alone would restart the work of a dead worker only after the hours
 * of the job's expiry.
 */

const WORKER_TIMEOUT_MS = 60_000;
const HEARTBEAT_INTERVAL_MS = 5000;
/** An item without room on the disk waits so long since it was created. Then its attempts count. */
const MAX_WAIT_FOR_ROOM_MS = 24 * 60 * 60 * 1000;
/** Ends the retries of an item that crashes its worker each time. */
const MAX_ATTEMPTS = 4;

/** Another worker has claimed the item, or it was deleted. */
class ClaimLostError extends Error {}

/** The item is enqueued again; this does not count as an attempt. */
export class RetryLaterError extends Error {
  constructor(
    readonly delaySeconds: number,
    options?: ErrorOptions,
  ) {
    super(`Retry in ${delaySeconds} s`, options);
  }
}

type WorkItemTable = PgTable &
  Record<'id' | 'ownerId' | 'status' | 'workerId' | 'heartbeatAt' | 'attempts', PgColumn>;
type WorkItemRow = Item & { status: string; attempts: number; createdAt: Date };
type Item = { ownerId: string; id: string };
type Worker = Item & { workerId: string };
type Claimable = Pick<WorkItems, 'table' | 'status'>;

export interface WorkItems<Row extends WorkItemRow = WorkItemRow> {
  table: WorkItemTable;
  /** The status of an item that waits for a worker, or has one. */
  status: Row['status'];
  /** The column that tells when an item got this status. */
  since: PgColumn;
  /** An item that no worker has claimed for so long has lost its job. Longer than it waits behind those of other accounts. */
  maxWaitMs: number;
  enqueue: (context: AppContext, tx: Tx, item: Item, delaySeconds: number) => Promise<void>;
}

/** Writes a heartbeat and the changes. Throws at shutdown, and when another worker has claimed the item or it was deleted. */
export type UpdateItem<Row> = (changes?: Partial<Row>, tx?: Tx) => Promise<void>;

interface Steps<Row> {
  /** In the transaction of the claim. */
  onClaim?: (tx: Tx, row: Row) => Promise<void>;
  /** @throws RetryLaterError; InsufficientStorageError, which waits for room; DecodeTimeoutError, which counts as an attempt */
  work: (row: Row, update: UpdateItem<Row>) => Promise<void>;
  /** After the last attempt failed: writes the status that says so. */
  fail: (row: Row, update: UpdateItem<Row>) => Promise<void>;
  /** Another worker has claimed the item, or it was deleted: deletes what was stored after that. */
  onClaimLost: (row: Row) => Promise<void>;
}

/** One attempt, unless another worker is alive. Every attempt starts over. @throws what `work` throws */
export async function runWorkItem<Row extends WorkItemRow>(
  context: AppContext,
  items: WorkItems<Row>,
  item: Item,
  stopping: AbortSignal | undefined,
  steps: Steps<Row>,
): Promise<void> {
  const { db, clock } = context;
  const worker = { ...item, workerId: uuidv7() };
  const row = await db.transaction(async (tx) => {
    const claimed = await claim(tx, items, worker, clock.now());
    if (claimed) await steps.onClaim?.(tx, claimed);
    return claimed;
  });
  if (!row) return;
  const beat = () => writeHeartbeat(db, items, worker, clock.now(), {});
  const update: UpdateItem<typeof row> = async (changes = {}, tx) => {
    stopping?.throwIfAborted();
    if (!(await writeHeartbeat(tx ?? db, items, worker, clock.now(), changes))) throw new ClaimLostError();
  };
  const heartbeat = setInterval(() => void beat().catch(() => undefined), HEARTBEAT_INTERVAL_MS);
  const attempt = async () => {
    try {
      if (row.attempts > MAX_ATTEMPTS) throw new Error('This has crashed its workers');
      await steps.work(row, update);
    } catch (error) {
      if (error instanceof ClaimLostError) throw error;
      const delaySeconds = toDelaySeconds(error, stopping);
      if (delaySeconds !== null)
        return await db.transaction(async (tx) => {
          await release(tx, items, worker, { now: clock.now(), attempts: row.attempts - 1 });
          await items.enqueue(context, tx, item, delaySeconds);
        });
      if (error instanceof DecodeTimeoutError && row.attempts < MAX_ATTEMPTS)
        return await db.transaction(async (tx) => {
          await release(tx, items, worker, { now: clock.now(), attempts: row.attempts });
          await items.enqueue(context, tx, item, DECODE_RETRY_SECONDS);
        });
      // The queue puts its job off.
      const waitsForRoom =
        error instanceof InsufficientStorageError && row.createdAt > ago(clock.now(), MAX_WAIT_FOR_ROOM_MS);
      if (waitsForRoom) await release(db, items, worker, { now: clock.now(), attempts: row.attempts - 1 });
      else if (row.attempts < MAX_ATTEMPTS)
        await release(db, items, worker, { now: clock.now(), attempts: row.attempts });
      else await steps.fail(row, update);
      throw error;
    }
  };
  try {
    await attempt();
  } catch (error) {
    if (!(error instanceof ClaimLostError)) throw error;
    await steps.onClaimLost(row);
  } finally {
    clearInterval(heartbeat);
  }
}

/** Null for an error that counts as an attempt. Not so at shutdown, whatever it interrupted. */
function toDelaySeconds(error: unknown, stopping: AbortSignal | undefined): number | null {
  if (error instanceof RetryLaterError) return error.delaySeconds;
  return stopping?.aborted ? 0 : null;
}

/** Enqueues those again whose worker died, or whose job was lost. */
export async function restartStalledItems(context: AppContext, tx: Tx, items: WorkItems): Promise<void> {
  const { table, status, since, maxWaitMs } = items;
  const now = context.clock.now();
  const isDead = and(isNotNull(table.workerId), lt(table.heartbeatAt, ago(now, WORKER_TIMEOUT_MS)));
  const waits = sql`coalesce(${table.heartbeatAt}, ${since}) < ${ago(now, maxWaitMs).toISOString()}`;
  const stalled = await tx
    .update(table)
    .set({ workerId: null, heartbeatAt: now })
    .where(and(eq(table.status, status), or(isDead, and(isNull(table.workerId), waits))))
    .returning({ id: table.id, ownerId: table.ownerId });
  for (const item of stalled as Item[]) await items.enqueue(context, tx, item, 0);
}

async function claim<Row extends WorkItemRow>(
  tx: Tx,
  items: WorkItems<Row>,
  { workerId, ...item }: Worker,
  now: Date,
): Promise<Row | null> {
  const { table } = items;
  const isFree = or(isNull(table.workerId), lt(table.heartbeatAt, ago(now, WORKER_TIMEOUT_MS)));
  const [row] = await tx
    .update(table)
    .set({ workerId, heartbeatAt: now, attempts: sql`${table.attempts} + 1` })
    .where(and(isInProgress(items, item), isFree))
    .returning();
  return (row as Row | undefined) ?? null;
}

async function writeHeartbeat(
  db: Db | Tx,
  items: Claimable,
  worker: Worker,
  heartbeatAt: Date,
  changes: object,
): Promise<boolean> {
  const rows = await db
    .update(items.table)
    .set({ heartbeatAt, ...changes })
    .where(isClaimedBy(items, worker))
    .returning({ id: items.table.id });
  return rows.length > 0;
}

/** Another worker can start at once. */
async function release(
  db: Db | Tx,
  items: Claimable,
  worker: Worker,
  { now, attempts }: { now: Date; attempts: number },
): Promise<void> {
  await db
    .update(items.table)
    .set({ workerId: null, heartbeatAt: now, attempts })
    .where(isClaimedBy(items, worker));
}

function isInProgress({ table, status }: Claimable, item: Item) {
  return and(ownedBy(table, item.ownerId, item.id), eq(table.status, status));
}

function isClaimedBy(items: Claimable, worker: Worker) {
  return and(isInProgress(items, worker), eq(items.table.workerId, worker.workerId));
}

function ago(now: Date, milliseconds: number): Date {
  return new Date(now.getTime() - milliseconds);
}
