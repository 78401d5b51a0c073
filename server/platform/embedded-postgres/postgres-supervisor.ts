import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';

export type Supervised = {
  /** Why it has ended, each time that it did so by itself; the newest last. */
  deaths(): string[];
  stop(): Promise<void>;
};

type Postmaster = {
  /** Makes way before each start. */
  prepare(): Promise<void>;
  start(): ChildProcess;
  onLog: (line: string) => void;
};

const SHORTEST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 5_000;

/** Keeps a Postgres running until `stop`, however often it dies. */
export function supervise(postmaster: Postmaster): Supervised {
  const stopping = new AbortController();
  const { signal } = stopping;
  let child: ChildProcess | undefined;
  let deaths: string[] = [];

  const runOnce = async () => {
    await postmaster.prepare();
    if (signal.aborted) return 'stopped';
    child = postmaster.start();
    const [code, killedBy] = (await once(child, 'exit')) as [number | null, string | null];
    return killedBy ?? `exit code ${code}`;
  };

  const keepRunning = async () => {
    let pause = SHORTEST_PAUSE_MS;
    while (!signal.aborted) {
      const startedAt = Date.now();
      const reason = await runOnce().catch((error: Error) => error.message);
      if (signal.aborted) return;
      deaths = [...deaths, reason].slice(-10);
      if (Date.now() - startedAt > 10 * LONGEST_PAUSE_MS) pause = SHORTEST_PAUSE_MS;
      postmaster.onLog(`Postgres has ended (${reason}); starting it again in ${pause / 1000} s.`);
      await delay(pause, undefined, { signal }).catch(() => undefined);
      pause = Math.min(pause * 2, LONGEST_PAUSE_MS);
    }
  };

  const running = keepRunning();
  return {
    deaths: () => deaths,
    async stop() {
      stopping.abort();
      if (child) await end(child);
      await running;
    },
  };
}

/** Fast shutdown: open transactions are rolled back, everything is written. The harder ways are for when it hangs. */
async function end(child: ChildProcess): Promise<void> {
  for (const [signal, patience] of [
    ['SIGINT', 30_000],
    ['SIGQUIT', 10_000],
    ['SIGKILL', 5_000],
  ] as const) {
    if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
    const ended = once(child, 'exit');
    child.kill(signal);
    const timer = new AbortController();
    await Promise.race([ended, delay(patience, undefined, { signal: timer.signal }).catch(() => undefined)]);
    timer.abort();
  }
}
