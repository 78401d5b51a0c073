import { afterEach, beforeEach, expect, it } from 'vitest';
import { memoriesOf } from '../../testing/clients/album.ts';
import {
  newMessageSid,
  postSms,
  PRODUCT_NUMBER,
  repliesTo,
  signUpSmsOwner,
  startSmsServer,
  type SmsOwner,
} from '../../testing/data/inbound-sms.ts';
import { startTwilioServer, type StoredSms } from '../../testing/fakes/twilio-server.ts';
import type { TestServer } from '../../testing/test-server.ts';
import { pullMissedSmsJob } from './pull-missed-sms-job.ts';

const HOUR_MS = 60 * 60 * 1000;
const DAY_MS = 24 * HOUR_MS;
const GIB = 1024 ** 3;

let server: TestServer;
let owner: SmsOwner;
let passedMs = 0;
let freeDisk = 50 * GIB;

const twilio = await startTwilioServer();
beforeEach(async () => {
  passedMs = 0;
  freeDisk = 50 * GIB;
  twilio.inbox.length = 0;
  server = await startSmsServer(twilio, {
    env: { MIN_FREE_DISK_GB: '1' },
    overrides: {
      clock: { now: () => new Date(Date.now() + passedMs) },
      statfs: () => Promise.resolve({ bsize: 1, blocks: 100 * GIB, bavail: freeDisk }),
    },
  });
  owner = await signUpSmsOwner(server, twilio);
});
afterEach(() => server.close());

/** The owner sends photos, and Twilio calls the webhook once. @returns its status */
async function send(values: Partial<StoredSms> = {}): Promise<{ status: number; sms: StoredSms }> {
  // Twilio knows seconds.
  const sentAt = new Date(Math.ceil((Date.now() + passedMs) / 1000) * 1000);
  const sms = {
    sid: newMessageSid(),
    from: owner.phone,
    to: PRODUCT_NUMBER,
    body: 'At sea',
    media: owner.photos(2),
    sentAt,
    ...values,
  };
  twilio.inbox.push(sms);
  const { status } = await postSms(server, sms);
  return { status, sms };
}

async function pull(): Promise<void> {
  await pullMissedSmsJob.handle(server.context, {});
  await server.drainJobs();
}

/** Postgres can read, but not write. */
async function fillDatabase(): Promise<void> {
  freeDisk = 0;
  await server.context.db.execute(`
    create function fail_for_tests() returns trigger language plpgsql as $$
    begin raise exception 'could not extend file' using errcode = 'disk_full'; end $$`);
  await server.context.db.execute(
    'create trigger full_disk before insert on inbound_messages execute function fail_for_tests()',
  );
}

async function makeRoom(): Promise<void> {
  freeDisk = 50 * GIB;
  await server.context.db.execute('drop function fail_for_tests cascade');
}

it('a full disk answers 503, and the photos come from Twilio once there is room, each once', async () => {
  const before = await send();
  await server.drainJobs();
  await fillDatabase();
  const missed = await send();
  expect([before.status, missed.status]).toEqual([200, 503]);
  await pull();
  expect(await memoriesOf(owner)).toHaveLength(2);
  await makeRoom();
  await pull();
  await pull();
  expect(await memoriesOf(owner)).toHaveLength(4);
  expect((await memoriesOf(owner)).map(({ caption }) => caption)).toEqual(Array(4).fill('At sea'));
  expect(repliesTo(twilio, owner.phone)).toHaveLength(2);
  // Late, the webhook changes nothing.
  expect((await postSms(server, missed.sms)).status).toBe(200);
  await server.drainJobs();
  expect(await memoriesOf(owner)).toHaveLength(4);
});

it('a pull that fails is repeated from where it began, also days later', async () => {
  await pull();
  await fillDatabase();
  await send();
  await makeRoom();
  passedMs = 3 * DAY_MS;
  twilio.failNext({ status: 500 });
  await expect(pullMissedSmsJob.handle(server.context, {})).rejects.toThrow();
  await pull();
  expect(await memoriesOf(owner)).toHaveLength(2);
});

it('adds nothing from before the number was the owner’s, from strangers or without photos, and replies to none', async () => {
  await fillDatabase();
  await send({ sentAt: new Date(Date.now() - HOUR_MS) });
  await send({ media: [] });
  await makeRoom();
  twilio.inbox.push({
    ...(await send({ from: PRODUCT_NUMBER })).sms,
    sid: newMessageSid(),
    from: '+12065559999',
  });
  await pull();
  expect(await memoriesOf(owner)).toEqual([]);
  expect(twilio.received.filter(({ Body }) => !Body?.includes('code'))).toEqual([]);
});
