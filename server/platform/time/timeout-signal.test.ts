import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { timeoutSignal } from './timeout-signal.ts';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

describe('a timeout signal', () => {
  it('aborts after the time, also when the garbage collector ran meanwhile', async () => {
    const reasons: unknown[] = [];
    const listen = () => {
      const signal = timeoutSignal(100, new AbortController().signal);
      signal.addEventListener('abort', () => reasons.push((signal.reason as Error).name));
    };
    listen();
    // In another task: a WeakRef keeps its target until the end of the current one.
    await pause(1);
    collectGarbage();
    await expect.poll(() => reasons).toEqual(['TimeoutError']);
  });

  it('aborts with the reason of another signal, at once if that has aborted', async () => {
    const other = new AbortController();
    const signal = timeoutSignal(60_000, other.signal);
    const aborted = once(signal, 'abort');
    other.abort('cancelled');
    await aborted;
    expect([signal.reason, timeoutSignal(60_000, other.signal).reason]).toEqual(['cancelled', 'cancelled']);
  });
});
