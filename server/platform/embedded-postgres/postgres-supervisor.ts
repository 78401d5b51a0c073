import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';

export type Supervised = {
  /** The reasons of the last unexpected exits, newest last. */
  exitReasons(): string[];
  stop(): Promise<void>;
};

const MIN_DELAY_MS = 100;
const MAX_DELAY_MS = 5_000;

/** Restarts Postgres whenever it exits, until `stop`. `prepare` runs before each start. */
export function supervise(postmaster: {
  prepare(): Promise<void>;
  start(): ChildProcess;
  onLog: (line: string) => void;
}): Supervised {
  const stopping = new AbortController();
  const { signal } = stopping;
  let child: ChildProcess | undefined;
  let exitReasons: string[] = [];

  const runOnce = async () => {
    await postmaster.prepare();
    if (signal.aborted) return 'stopped';
    child = postmaster.start();
    const [code, killedBy] = (await once(child, 'exit')) as [number | null, string | null];
    return killedBy ?? `exit code ${code}`;
  };

  const keepRunning = async () => {
    let delayMs = MIN_DELAY_MS;
    while (!signal.aborted) {
      const startedAt = Date.now();
      const reason = await runOnce().catch((error: Error) => error.message);
      if (signal.aborted) return;
      exitReasons = [...exitReasons, reason].slice(-10);
      if (Date.now() - startedAt > 10 * MAX_DELAY_MS) delayMs = MIN_DELAY_MS;
      postmaster.onLog(`Postgres has ended (${reason}); starting it again in ${delayMs / 1000} s.`);
      await delay(delayMs, undefined, { signal }).catch(() => undefined);
      delayMs = Math.min(delayMs * 2, MAX_DELAY_MS);
    }
  };

  const running = keepRunning();
  return {
    exitReasons: () => exitReasons,
    async stop() {
      stopping.abort();
      if (child) await end(child);
      await running;
    },
  };
}

/** Fast shutdown, which rolls transactions back. The other signals are for a process that hangs. */
async function end(child: ChildProcess): Promise<void> {
  for (const [signal, timeoutMs] of [
    ['SIGINT', 30_000],
    ['SIGQUIT', 10_000],
    ['SIGKILL', 5_000],
  ] as const) {
    if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
    const ended = once(child, 'exit');
    child.kill(signal);
    const timer = new AbortController();
    await Promise.race([ended, delay(timeoutMs, undefined, { signal: timer.signal }).catch(() => undefined)]);
    timer.abort();
  }
}
