type Task = { priority: number; run: () => Promise<void> };

/** Runs one task of an account at a time, the highest priority first, and the accounts in turn. */
export function createFairQueue({ concurrency = 1 } = {}) {
  /** The first account is next. */
  const waiting = new Map<string, Task[]>();
  const running = new Set<string>();
  let size = 0;

  return {
    /** Of all accounts, without running tasks. */
    size: () => size,
    add<Result>(account: string, priority: number, work: () => Promise<Result>): Promise<Result> {
      return new Promise((resolve, reject) => {
        const run = async () => {
          await work().then(resolve, reject);
        };
        waiting.set(account, [...(waiting.get(account) ?? []), { priority, run }]);
        size++;
        runNext();
      });
    },
  };

  function runNext(): void {
    if (running.size >= concurrency) return;
    const account = [...waiting.keys()].find((each) => !running.has(each));
    if (account === undefined) return;
    running.add(account);
    const end = () => {
      running.delete(account);
      runNext();
    };
    void takeNext(account)?.run().then(end);
  }

  function takeNext(account: string): Task | undefined {
    const tasks = waiting.get(account) ?? [];
    const highest = Math.max(...tasks.map(({ priority }) => priority));
    const task = tasks.find(({ priority }) => priority === highest);
    const others = tasks.filter((each) => each !== task);
    waiting.delete(account);
    // To the end of the line.
    if (others.length > 0) waiting.set(account, others);
    size--;
    return task;
  }
}
