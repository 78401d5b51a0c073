type Task = { priority: number; run: () => Promise<void> };

/** Runs one task at a time: the accounts in turn, and of an account the highest priority first. */
export function createFairQueue() {
  /** The account to serve next is the first. */
  const waiting = new Map<string, Task[]>();
  let size = 0;
  let isRunning = false;

  return {
    /** Of all accounts, without the running task. */
    size: () => size,
    add<Result>(account: string, priority: number, work: () => Promise<Result>): Promise<Result> {
      return new Promise((resolve, reject) => {
        const run = () => work().then(resolve, reject);
        waiting.set(account, [...(waiting.get(account) ?? []), { priority, run }]);
        size++;
        if (!isRunning) void runAll();
      });
    },
  };

  async function runAll(): Promise<void> {
    isRunning = true;
    for (let task = takeNext(); task; task = takeNext()) await task.run();
    isRunning = false;
  }

  function takeNext(): Task | undefined {
    const [next] = waiting;
    if (!next) return undefined;
    const [account, tasks] = next;
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
