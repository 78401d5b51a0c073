import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { open, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

const PATIENCE_MS = 120_000;

export type RunningProcess = { origin: string; end(): Promise<void> };

/**
 * Starts a program of ours that prints its address. What it prints goes to a file, as in production: read through a
 * pipe it would take from the time of whoever measures.
 */
export async function startProcess(
  args: string[],
  { env, log }: { env: Record<string, string>; log: string },
): Promise<RunningProcess> {
  const file = await open(log, 'w');
  const child = spawn(process.execPath, args, {
    cwd: join(import.meta.dirname, '../..'),
    env: { ...process.env, ...env },
    stdio: ['ignore', file.fd, file.fd],
    // A Ctrl-C is for the bench: it ends its programs one after the other.
    detached: true,
  });
  await file.close();
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null;
  const end = async () => {
    if (hasEnded()) return;
    const ended = once(child, 'exit');
    child.kill('SIGTERM');
    await ended;
  };

  const deadline = Date.now() + PATIENCE_MS;
  while (Date.now() < deadline && !hasEnded()) {
    const port = / is at http:\/\/[^:]+:(\d+)/.exec(await readFile(log, 'utf8'))?.[1];
    if (port) return { origin: `http://127.0.0.1:${port}`, end };
    await delay(50);
  }
  await end();
  throw new Error(`${args.join(' ')} did not start:\n${await readFile(log, 'utf8')}`);
}
