import { describe, it } from 'vitest';
import { run } from '../lib/run.mjs';
import { watchProgress } from './progress-watchdog.mjs';

const STALL_MS = 4_000;

/** Runs a script under the watchdog. @returns its exit code, and whether it was stopped */
async function runWatched(script) {
  const watchdog = watchProgress(STALL_MS);
  const filter = (line) => watchdog.filter(line) && false;
  const code = await run(process.execPath, ['-e', script], { ...watchdog, filter });
  watchdog.stop();
  return { code, isStalled: watchdog.abort.aborted };
}

describe('a test run', () => {
  it.concurrent('may take any time while tests finish', async ({ expect }) => {
    const script = `
      const lines = ['  ✓  1 first', '\\x1b[31m ❯ second.test.ts', '  ✘  3 third', ' ✓ fourth.test.ts'];
      const timer = setInterval(() => {
        console.log(lines.shift());
        if (lines.length === 0) clearInterval(timer);
      }, ${STALL_MS / 3});`;
    expect(await runWatched(script)).toEqual({ code: 0, isStalled: false });
  });

  it.concurrent('is stopped when it only logs, and no test finishes', async ({ expect }) => {
    const { code, isStalled } = await runWatched(`setInterval(() => console.log('a warning'), 100)`);
    expect(isStalled).toBe(true);
    expect(code).not.toBe(0);
  });
});
