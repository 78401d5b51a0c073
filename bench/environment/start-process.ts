import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { open, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

const ROOT = join(import.meta.dirname, '../..');
const START_TIMEOUT_MS = 120_000;

export type RunningProcess = { pid: number; origin: string; end(): Promise<void> };

/** Starts a server and waits until it prints its address. Its output goes to a file: reading a pipe would cost CPU time. */
export async function startProcess(
  args: string[],
  { env, log, folder = ROOT }: { env: Record<string, string>; log: string; folder?: string },
): Promise<RunningProcess> {
  const file = await open(log, 'w');
  const child = spawn(process.execPath, args, {
    cwd: folder,
    env: { ...process.env, ...env },
    stdio: ['ignore', file.fd, file.fd],
    // Ctrl-C goes to the bench only, which ends its processes in order.
    detached: true,
  });
  await file.close();
  const hasExited = () => child.exitCode !== null || child.signalCode !== null;
  const end = async () => {
    if (hasExited()) return;
    const ended = once(child, 'exit');
    child.kill('SIGTERM');
    await ended;
  };

  const deadline = Date.now() + START_TIMEOUT_MS;
  while (Date.now() < deadline && !hasExited()) {
    const port = / is at http:\/\/[^:]+:(\d+)/.exec(await readFile(log, 'utf8'))?.[1];
    if (port && child.pid) return { pid: child.pid, origin: `http://127.0.0.1:${port}`, end };
    await delay(50);
  }
  await end();
  throw new Error(`${args.join(' ')} did not start:\n${await readFile(log, 'utf8')}`);
}
