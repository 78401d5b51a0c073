import { describe, expect, it } from 'vitest';
import { createFairQueue } from './fair-queue.ts';

/** Tasks that note their start, and end when they are told to. */
function createTasks(queue: ReturnType<typeof createFairQueue>) {
  const started: string[] = [];
  const ends = new Map<string, () => void>();
  const add = (account: string, name: string, priority = 0) =>
    queue.add(account, priority, () => {
      started.push(name);
      return new Promise<void>((resolve) => ends.set(name, resolve));
    });
  const end = (name: string) => {
    ends.get(name)?.();
    return new Promise((resolve) => setImmediate(resolve));
  };
  return { started, add, end };
}

describe('the fair queue', () => {
  it('serves the accounts in turn, and the highest priority of an account first', async () => {
    const { started, add, end } = createTasks(createFairQueue());
    const added = [add('a', 'a1'), add('a', 'a2'), add('a', 'a3', 1), add('b', 'b1')];
    for (const name of ['a1', 'a3', 'b1', 'a2']) {
      expect(started.at(-1)).toBe(name);
      await end(name);
    }
    await Promise.all(added);
    expect(started).toHaveLength(4);
  });

  it('serves several accounts at once, but each of them one task at a time', async () => {
    const queue = createFairQueue({ concurrency: 2 });
    const { started, add, end } = createTasks(queue);
    const added = Promise.all([add('a', 'a1'), add('a', 'a2'), add('b', 'b1'), add('c', 'c1')]);
    expect([started, queue.size()]).toEqual([['a1', 'b1'], 2]);
    await end('b1');
    expect(started).toEqual(['a1', 'b1', 'c1']);
    await end('c1');
    expect(started).toHaveLength(3);
    await end('a1');
    expect([started.at(-1), queue.size()]).toEqual(['a2', 0]);
    await end('a2');
    await added;
  });

  it('continues after a task that fails', async () => {
    const queue = createFairQueue();
    const failing = queue.add('a', 0, () => Promise.reject(new Error('broken')));
    const next = queue.add('a', 0, () => Promise.resolve('done'));
    await expect(failing).rejects.toThrow('broken');
    expect(await next).toBe('done');
  });
});
