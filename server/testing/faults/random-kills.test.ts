import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { seededRandom } from '../../platform/seeded-random.ts';
import { startOpenaiServer } from '../fakes/openai-server.ts';
import { startTwilioServer } from '../fakes/twilio-server.ts';
import type { Vendors } from './operations/operation.ts';
import { recordRound } from './record-round.ts';
import { runRound } from './run-round.ts';

const { seed: SEED, kills: KILLS, lanes: LANES } = inject('faults');
/** Fewer than an email's attempts: interrupted more often, it is held for its owner. */
const KILLS_PER_ROUND = 8;
/** Of a start and a kill, and of a round without them, on a busy machine. */
const TIMEOUT_MS = 60_000;
/** Pieces of work, so that a fast machine does not get further than a slow one. */
const MAX_WORK_BETWEEN_KILLS = 8;
const MAX_KILL_DELAY_MS = 8_000;
const MAX_PAUSE_MS = 300;

const rounds = Array.from({ length: Math.ceil(KILLS / KILLS_PER_ROUND) }, (_, index) => ({
  seed: SEED + index,
  kills: Math.min(KILLS_PER_ROUND, KILLS - index * KILLS_PER_ROUND),
}));
const waiting = [...rounds];
const failures: object[] = [];

let vendors: Vendors;
beforeAll(async () => {
  vendors = { twilio: await startTwilioServer(), openai: await startOpenaiServer() };
});
afterAll(() => vendors.openai.close());

describe(`the app, killed at ${KILLS} random moments under load`, () => {
  it(
    'loses nothing, does nothing twice, and leaves nothing stuck',
    async () => {
      await Promise.all(Array.from({ length: LANES }, runRounds));
      expect(failures).toEqual([]);
    },
    5 * TIMEOUT_MS + (TIMEOUT_MS * KILLS) / LANES,
  );
});

/** A failed round does not end the others. */
async function runRounds(): Promise<void> {
  for (let round = waiting.shift(); round; round = waiting.shift()) {
    const toRepeat = `FAULTS_SEED=${round.seed} FAULTS_KILLS=${round.kills}`;
    try {
      const result = await killAtRandom(round);
      await recordRound({ ...round, ...result });
      const violations = [result, ...result.operations].flatMap((each) => each.violations);
      if (violations.length > 0) failures.push({ toRepeat, violations });
    } catch (error) {
      await recordRound({ ...round, error: String(error) });
      failures.push({ toRepeat, error });
    }
  }
}

function killAtRandom({ seed, kills }: (typeof rounds)[number]) {
  const random = seededRandom(seed);
  // Both ways to send the photos of a memory: alone, and together with the next ones.
  const settings = { MAIL_GROUPING_SECONDS: random() < 0.5 ? '0' : '2' };
  return runRound(
    vendors,
    async (installation, countFinished) => {
      for (let n = 0; n < kills; n++) {
        const moment = countFinished() + random() * MAX_WORK_BETWEEN_KILLS;
        const latest = Date.now() + random() * MAX_KILL_DELAY_MS;
        while (countFinished() < moment && Date.now() < latest) await pause(5);
        await pause(random() * MAX_PAUSE_MS);
        await installation.killAndRestart();
      }
    },
    { settings },
  );
}
