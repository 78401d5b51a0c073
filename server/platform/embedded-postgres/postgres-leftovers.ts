import { readFile, readdir, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { processCommand, processWorkingFolder, processStartedAt } from '../process/process-info.ts';
import { StartupError } from '../process/startup-error.ts';

/** Stops the Postgres of a killed app. Removes its pid file if another process has reused the pid. */
export async function clearLeftovers(dataDir: string, onLog: (line: string) => void): Promise<void> {
  const pidFile = join(dataDir, 'postmaster.pid');
  const pid = Number((await readFile(pidFile, 'utf8').catch(() => '')).split('\n')[0]);
  if (pid && (await isPostgresOver(dataDir, pid))) {
    onLog(`A Postgres of an earlier run (process ${pid}) still has the data: stopping it.`);
    await end(pid);
  }
  await waitForChildren(dataDir);
  if (pid && (await processStartedAt(pid)) !== null) await rm(pidFile, { force: true });
}

async function isPostgresOver(dataDir: string, pid: number): Promise<boolean> {
  const command = await processCommand(pid);
  if (!command || !basename(command.split(' ')[0]!).startsWith('postgres')) return false;
  const folder = await processWorkingFolder(pid);
  return folder === null ? command.includes(dataDir) : folder === dataDir;
}

/** Fast shutdown, which rolls transactions back; then immediate, after which the next start recovers. */
async function end(pid: number): Promise<void> {
  const startedAt = await processStartedAt(pid);
  const isRunning = async () => startedAt !== null && (await processStartedAt(pid)) === startedAt;
  for (const [signal, timeoutMs] of [
    ['SIGINT', 20_000],
    ['SIGQUIT', 10_000],
  ] as const) {
    if (!(await isRunning())) return;
    process.kill(pid, signal);
    process.kill(pid, 'SIGCONT');
    if (await becomesTrue(async () => !(await isRunning()), timeoutMs)) return;
  }
  throw new StartupError(
    `A Postgres of an earlier run (process ${pid}) does not stop. End it, then start again.`,
  );
}

/** The children of a killed postmaster exit a moment later. Until then they use its shared memory. */
async function waitForChildren(dataDir: string): Promise<void> {
  if (process.platform !== 'linux') return;
  const isQuiet = async () => {
    const pids = (await readdir('/proc')).map(Number).filter((each) => each > 0);
    const over = await Promise.all(
      pids.map(async (pid) => (await processWorkingFolder(pid)) === dataDir && isPostgresOver(dataDir, pid)),
    );
    return !over.includes(true);
  };
  if (await becomesTrue(isQuiet, 15_000)) return;
  throw new StartupError(
    `Processes of an earlier Postgres still work in ${dataDir}. End them, then start again.`,
  );
}

async function becomesTrue(condition: () => Promise<boolean>, timeoutMs: number): Promise<boolean> {
  for (const until = Date.now() + timeoutMs; ; await delay(50)) {
    if (await condition()) return true;
    if (Date.now() > until) return false;
  }
}
