import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { mountSmallDisk } from '../environment/small-disk.ts';
import { startOpenaiServer } from '../fakes/openai-server.ts';
import { startTwilioServer } from '../fakes/twilio-server.ts';
import { FAULT_MS } from './disturb.ts';
import type { Vendors } from './operations/operation.ts';
import { runRound } from './run-round.ts';

const TIMEOUT_MS = 300_000;
const TIMES = inject('faults').isLong ? 2 : 1;
/** To a file whose size is known before it is sent. */
const NO_ROOM =
  '507 {"message":"There is no room for more at the moment. Please tell the person who runs this album."}';
const UNAVAILABLE = '503 {"message":"Part of our service is not responding. Please try again in a moment."}';

const disk = await mountSmallDisk('300m');
let vendors: Vendors;
beforeAll(async () => {
  vendors = { twilio: await startTwilioServer(), openai: await startOpenaiServer() };
});
afterAll(async () => {
  await vendors.openai.close();
  await disk?.unmount();
});

describe.runIf(disk)('the app, whose disk fills up under load', () => {
  it(
    'rejects meanwhile with a clear message, and continues without loss or repetition once there is room',
    async () => {
      const round = await runRound(
        vendors,
        async ({ rejections }) => {
          for (let n = 0; n < TIMES; n++) {
            await pause(FAULT_MS);
            let filler = '';
            const end = Date.now() + FAULT_MS;
            // A busy machine may not have asked for room yet.
            for (; Date.now() < end || rejections.size === 0; await pause(100))
              filler = (await disk?.fill()) ?? '';
            await rm(filler);
          }
          await pause(FAULT_MS);
        },
        { dataDir: join(disk?.folder ?? '', 'data') },
      );
      expect([round, ...round.operations].flatMap((each) => each.violations)).toEqual([]);
      expect(round.rejections).not.toEqual([]);
      for (const rejection of round.rejections) expect([UNAVAILABLE, NO_ROOM]).toContain(rejection);
    },
    TIMEOUT_MS,
  );
});
