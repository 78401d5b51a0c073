import { mkdtemp, rm } from 'node:fs/promises';
import { Agent, get, type IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { text } from 'node:stream/consumers';
import { expect, it, vi } from 'vitest';
import { startAppProcess } from '../testing/app-process.ts';
import { createTestDatabase } from '../testing/test-database.ts';
import { TIMEOUT } from '../testing/timeout.ts';

const CLIENTS = 12;

type Answer = { status?: number; connection?: string; readiness?: string };

/** Asks again and again over one connection that it keeps, until a request fails. */
async function keepAsking(origin: string, thinkTimeMs: number, answers: Answer[]): Promise<string> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  try {
    for (;;) {
      answers.push(await ask(`${origin}/api/health/ready`, agent));
      await pause(thinkTimeMs);
    }
  } catch (error) {
    return String((error as NodeJS.ErrnoException).code);
  } finally {
    agent.destroy();
  }
}

async function ask(url: string, agent: Agent): Promise<Answer> {
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    get(url, { agent }, resolve).on('error', reject);
  });
  const { status: readiness } = JSON.parse(await text(response)) as { status: string };
  return { status: response.statusCode!, connection: response.headers.connection!, readiness };
}

it('a server that shuts down sends `Connection: close` before it closes connections', async () => {
  const database = await createTestDatabase();
  const dataDir = await mkdtemp(join(tmpdir(), 'mems-draining-'));
  const app = await startAppProcess({ DATABASE_URL: database.url, DATA_DIR: dataDir });
  const answers = Array.from({ length: CLIENTS }, (): Answer[] => []);
  // Some ask at once again, others after a while.
  const clients = answers.map((own, n) => keepAsking(app.origin, 20 * n, own));
  await vi.waitUntil(() => answers.every(({ length }) => length > 3), TIMEOUT);
  const exitCode = await app.stop();

  // A new connection is refused; none that was there is reset.
  expect(await Promise.all(clients)).toEqual(Array(CLIENTS).fill('ECONNREFUSED'));
  expect(answers.map((own) => own.at(-1))).toEqual(
    Array(CLIENTS).fill({ status: 503, connection: 'close', readiness: 'draining' }),
  );
  expect(exitCode).toBe(0);
  await database.drop();
  await rm(dataDir, { recursive: true, force: true });
});
