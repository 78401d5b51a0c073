import { createInstallation, type Installation, type Services } from './installation.ts';
import { findViolations, type Violation } from './invariants.ts';
import { allOperations } from './operations/all-operations.ts';
import {
  createWorld,
  vendorSettings,
  type Operation,
  type OperationFactory,
  type Vendors,
} from './operations/operation.ts';
import { passTimeUntil, settle } from './settle.ts';

declare module 'vitest' {
  interface ProvidedContext {
    faults: {
      seed: number;
      kills: number;
      commandKills: number;
      lanes: number;
      stops: number;
      isLong: boolean;
      results: string | null;
    };
  }
}

/** Of each operation. */
const CONCURRENCY = 2;

export type Round = {
  operations: { name: string; acknowledged: number; violations: Violation[] }[];
  /** Of the whole installation. */
  violations: Violation[];
  rejections: string[];
};

export type RoundOptions = Services & {
  settings?: Record<string, string>;
  factories?: readonly OperationFactory[];
};

/** Runs all operations again and again while `disturb` does harm, and then checks that all is well. */
export async function runRound(
  vendors: Vendors,
  disturb: (installation: Installation, countFinished: () => number) => Promise<void>,
  { settings = {}, factories = allOperations, ...services }: RoundOptions = {},
): Promise<Round> {
  const installation = await createInstallation({ ...vendorSettings(vendors), ...settings }, services);
  try {
    await installation.start();
    const world = await createWorld(installation, vendors);
    const operations: Operation[] = [];
    for (const create of factories) operations.push(await create(world));

    const disturbing = new AbortController();
    const counts = operations.map(() => ({ finished: 0 }));
    const countFinished = () => counts.reduce((sum, { finished }) => sum + finished, 0);
    const working = Promise.all(
      operations.map((operation, index) => repeat(operation, disturbing.signal, counts[index])),
    );
    await Promise.race([disturb(installation, countFinished).finally(() => disturbing.abort()), working]);
    await passTimeUntil(installation, working);

    const pending = await settle(installation);
    const checked = operations.map(async (operation, index) => ({
      name: operation.name,
      acknowledged: counts[index]?.finished ?? 0,
      violations: await operation.check(),
    }));
    return {
      operations: await Promise.all(checked),
      violations: [
        ...pending.map((what): Violation => ({ kind: 'stuck', what })),
        ...(await findViolations(installation)),
      ],
      rejections: [...installation.rejections],
    };
  } finally {
    await installation.remove();
  }
}

async function repeat(operation: Operation, signal: AbortSignal, count = { finished: 0 }): Promise<void> {
  let n = 0;
  const loop = async () => {
    while (!signal.aborted) {
      await operation.run(n++);
      count.finished++;
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, loop));
}
