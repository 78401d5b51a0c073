import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { startStoppablePostgres, type StoppablePostgres } from '../environment/stoppable-postgres.ts';
import { startOpenaiServer } from '../fakes/openai-server.ts';
import { startTwilioServer } from '../fakes/twilio-server.ts';
import type { Vendors } from './operations/operation.ts';
import { runRound } from './run-round.ts';

const { stops: STOPS } = inject('faults');
const TIMEOUT_MS = 180_000 + STOPS * 60_000;
const RUNS_MS = 2_000;
const STOPPED_MS = 500;

let vendors: Vendors;
let postgres: StoppablePostgres;
beforeAll(async () => {
  vendors = { twilio: await startTwilioServer(), openai: await startOpenaiServer() };
  postgres = await startStoppablePostgres();
});
afterAll(async () => {
  await postgres.remove();
  await vendors.openai.close();
});

describe('the app, whose Postgres stops immediately under load', () => {
  it(
    'answers 503, continues without a restart, loses nothing and leaves nothing stuck',
    async () => {
      const round = await runRound(
        vendors,
        async ({ rejections }) => {
          for (let n = 0; n < STOPS; n++) {
            await pause(RUNS_MS);
            await postgres.stop('immediate');
            const end = Date.now() + STOPPED_MS;
            // A busy machine may not have asked the database yet.
            while (Date.now() < end || rejections.size === 0) await pause(100);
            await postgres.start();
          }
        },
        { database: postgres },
      );
      const violations = [round, ...round.operations].flatMap((each) => each.violations);
      expect(violations).toEqual([]);
      expect(round.rejections).toEqual([
        '503 {"message":"Part of our service is not responding. Please try again in a moment."}',
      ]);
    },
    TIMEOUT_MS,
  );
});
