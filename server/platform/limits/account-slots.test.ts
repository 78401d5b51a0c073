import { describe, expect, it } from 'vitest';
import { TooManyRequestsError } from '../errors.ts';
import { createAccountSlots } from './account-slots.ts';

const LIMITS = { slots: 3, maxInLine: 4, maxWaitMs: 10_000, name: 'decoder', message: 'Later.' };

/** Work that ends when it is told to. */
function createWork() {
  const running: (() => void)[] = [];
  const work = () => new Promise<void>((resolve) => running.push(resolve));
  return { running, work, finishNext: () => running.shift()?.() };
}

describe('slots of an account', () => {
  it('let three run, some wait in line, and reject the rest at once', async () => {
    const { run } = createAccountSlots(LIMITS);
    const { running, work, finishNext } = createWork();
    const started = Array.from({ length: 7 }, () => run('busy', work));
    const rejected = await run('busy', work).catch((error: unknown) => error);
    expect(rejected).toBeInstanceOf(TooManyRequestsError);
    expect(rejected).toMatchObject({ details: { security: { details: { limit: 'decoder' } } } });
    expect(running).toHaveLength(3);
    const other = run('other', () => Promise.resolve('served'));
    expect(await other).toBe('served');

    for (let n = 0; n < 7; n++) {
      finishNext();
      await started[n];
      // As many as wait take the place of those that ended.
      expect(running).toHaveLength(Math.min(3, 6 - n));
    }
    expect(await run('busy', () => Promise.resolve('served'))).toBe('served');
  });

  it('reject what waited too long, with the seconds after which to try again', async () => {
    const { run } = createAccountSlots({ ...LIMITS, slots: 1, maxWaitMs: 20 });
    const { work, finishNext } = createWork();
    const first = run('busy', work);
    const rejected = run('busy', work);
    await expect(rejected).rejects.toMatchObject({
      status: 429,
      details: { retryAfterSeconds: 5, security: { details: { limit: 'decoder' } } },
    });
    finishNext();
    await first;
    expect(await run('busy', () => Promise.resolve('served'))).toBe('served');
  });

  it('are freed by work that fails', async () => {
    const { run } = createAccountSlots({ ...LIMITS, slots: 1 });
    await expect(run('busy', () => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
    expect(await run('busy', () => Promise.resolve('served'))).toBe('served');
  });

  it('of all together are half for the first slots of each, in turn', async () => {
    const { take } = createAccountSlots({ ...LIMITS, slots: 4, total: 4 });
    const served: string[] = [];
    const request = async (account: string) => {
      const free = await take(account);
      served.push(account);
      return free;
    };
    const busy = Array.from({ length: 4 }, () => request('busy'));
    const [freeFirst, freeSecond] = await Promise.all([busy[0]!, busy[1]!]);
    const others = ['a', 'b', 'c', 'd'].map(request);
    const freeA = await others[0]!;
    await others[1];
    expect(served).toEqual(['busy', 'busy', 'a', 'b']);

    freeFirst();
    await others[2];
    freeA();
    await others[3];
    freeSecond();
    await busy[2];
    expect(served).toEqual(['busy', 'busy', 'a', 'b', 'c', 'd', 'busy']);
    // The last one stays in line.
    busy[3]?.catch(() => undefined);
  });
});
