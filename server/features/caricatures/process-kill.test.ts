import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { generateCaricatureJob } from './generate-caricature-job.ts';
import { startAppProcess, type AppProcess } from '../../testing/app-process.ts';
import {
  askForCaricature,
  listCaricatures,
  openaiSettings,
  signUpWithPet,
  type PetOwner,
} from '../../testing/caricatures.ts';
import { startOpenaiServer } from '../../testing/openai-server.ts';
import { createTestClient } from '../../testing/test-client.ts';
import { createTestDatabase } from '../../testing/test-database.ts';

/** Nothing takes so long; a busy machine may make it seem so. */
const PATIENCE_MS = 120_000;
const PATIENCE = { timeout: PATIENCE_MS, interval: 50 };

describe('the app, killed while an artist draws', { timeout: 2 * PATIENCE_MS }, () => {
  it('has one caricature when it is back: the photo is drawn anew, by one worker', async () => {
    const openai = await startOpenaiServer();
    const place = await makePlace(openaiSettings(openai));
    onTestFinished(() => openai.close());
    let app = await place.start();
    const owner = await signUpAt(app);

    openai.answerNext('held');
    expect((await askForCaricature(owner)).status).toBe(202);
    await vi.waitUntil(() => openai.received.length === 1, PATIENCE);
    await app.kill();
    openai.release();

    await place.letJobsExpire();
    app = await place.start();
    const again = createTestClient(app.origin);
    again.setCookie(owner.cookie());
    await vi.waitUntil(async () => (await listCaricatures(again))[0]?.status !== 'generating', PATIENCE);
    const caricatures = await listCaricatures(again);
    expect(caricatures).toMatchObject([{ status: 'completed', memoryId: owner.memory.id }]);
    expect((await again.get(caricatures[0]?.caricatureImageUrl ?? '')).status).toBe(200);
    expect(openai.calls()).toBe(2);
    expect(await readdir(join(place.dataDir, 'objects/originals'))).toHaveLength(2);
  });
});

function signUpAt(app: AppProcess): Promise<PetOwner> {
  return signUpWithPet({
    async signUp() {
      const client = createTestClient(app.origin);
      const account = { email: 'mara@mems.example', username: 'mara', password: 'correct horse' };
      const { id: userId } = (await client.post('/api/register', account)).body as { id: string };
      return Object.assign(client, { userId });
    },
  });
}

/** A database and a data folder, which outlive the processes that are started over them. */
async function makePlace(settings: Record<string, string>) {
  const database = await createTestDatabase();
  const dataDir = await mkdtemp(join(tmpdir(), 'mems-kill-'));
  let running: AppProcess | undefined;
  onTestFinished(async () => {
    await running?.kill();
    await database.drop();
    await rm(dataDir, { recursive: true, force: true });
  });
  return {
    dataDir,
    async start(): Promise<AppProcess> {
      running = await startAppProcess({ DATABASE_URL: database.url, DATA_DIR: dataDir, ...settings });
      return running;
    },
    /** As if the time had passed after which the queue gives a job to another worker, and the pause after that. */
    async letJobsExpire(): Promise<void> {
      const { name, expireInSeconds } = generateCaricatureJob;
      const client = new pg.Client(database.url);
      await client.connect();
      await client.query(
        `update pgboss.job set retry_delay = 0, started_on = started_on - $1 * interval '1 second'
          where name = $2 and state = 'active'`,
        [expireInSeconds, name],
      );
      await client.end();
    },
  };
}
