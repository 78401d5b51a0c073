import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { jobs as allJobs } from './jobs.ts';
import { sendSmsJob } from '../features/inbound-sms/send-sms-job.ts';
import { startAppProcess } from '../testing/environment/app-process.ts';
import { createTestClient } from '../testing/clients/test-client.ts';
import { createEmptyDatabase } from '../testing/environment/test-database.ts';
import { TIMEOUT } from '../testing/timing/timeout.ts';

const PROCESSES = 3;

let database: Awaited<ReturnType<typeof createEmptyDatabase>>;
let folder: string;

beforeAll(async () => {
  database = await createEmptyDatabase();
  folder = await mkdtemp(join(tmpdir(), 'mems-starts-'));
});

afterAll(async () => {
  await database.drop();
  await rm(folder, { recursive: true, force: true });
});

/** Starts all at once; each answers, and ends as it should. */
async function startAll(): Promise<void> {
  const starts = Array.from({ length: PROCESSES }, (_, n) =>
    startAppProcess({
      DATABASE_URL: database.url,
      DATA_DIR: join(folder, String(n)),
      DATABASE_POOL_SIZE: '4',
    }),
  );
  const results = await Promise.allSettled(starts);
  const apps = results.flatMap((result) => (result.status === 'fulfilled' ? result.value : []));
  const responses = await Promise.all(apps.map(({ origin }) => fetch(`${origin}/api/health/ready`)));
  const codes = await Promise.all(apps.map((app) => app.stop()));
  expect(responses.map(({ status }) => status)).toEqual(Array(PROCESSES).fill(200));
  expect(codes).toEqual(Array(PROCESSES).fill(0));
}

async function namesIn(text: string): Promise<string[]> {
  const client = new pg.Client(database.url);
  await client.connect();
  const { rows } = await client.query<{ name: string }>(text).finally(() => client.end());
  return rows.map(({ name }) => name).sort();
}

const namesOf = (jobs: readonly { name: string }[]) => jobs.map(({ name }) => name).sort();

it('concurrent processes start with an empty database', { timeout: 120_000 }, async () => {
  await startAll();
  const queues = await namesIn(`select name from pgboss.queue where name not like '\\_\\_%'`);
  expect(queues).toEqual(namesOf(allJobs));
  const schedules = await namesIn('select name from pgboss.schedule');
  expect(schedules).toEqual(namesOf(allJobs.filter(({ cron }) => cron)));
});

it('concurrent processes of a release with a new queue start', { timeout: 120_000 }, async () => {
  const { name } = sendSmsJob;
  await namesIn(`select pgboss.delete_queue('${name}')::text as name`);
  await startAll();
  expect(await namesIn('select name from pgboss.queue')).toContain(name);
});

it('files of the data folder are for their own user only, whatever the umask was', async () => {
  const before = process.umask(0);
  const dataDir = join(folder, 'modes');
  const starting = startAppProcess({ DATABASE_URL: database.url, DATA_DIR: dataDir });
  // The process has it; others of this one must not.
  process.umask(before);
  const app = await starting;
  const client = createTestClient(app.origin);
  const account = { email: 'modes@mems.example', username: 'modes', password: 'correct horse' };
  await client.post('/api/register', account);
  await client.post('/api/sms/send-verification', { phoneNumber: '2065550123' });
  await vi.waitUntil(
    async () => (await readdir(join(dataDir, 'outbox')).catch(() => [])).length > 0,
    TIMEOUT,
  );
  await app.stop();
  const files = await readdir(dataDir, { recursive: true });
  const modes = await Promise.all(files.map(async (name) => (await stat(join(dataDir, name))).mode & 0o077));
  expect(files.length).toBeGreaterThan(3);
  expect(modes).toEqual(files.map(() => 0));
});
