/** Runs one call at a time for each key: a further one aborts the one before, and begins once that has ended. */
export function createLatestCalls() {
  const latest = new Map<string, { controller: AbortController; ended: Promise<unknown> }>();

  return async function call<Result>(
    key: string,
    work: (superseded: AbortSignal) => Promise<Result>,
  ): Promise<Result> {
    const before = latest.get(key);
    before?.controller.abort();
    const controller = new AbortController();
    const result = (before?.ended ?? Promise.resolve()).then(() => work(controller.signal));
    const own = { controller, ended: result.catch(() => undefined) };
    latest.set(key, own);
    try {
      return await result;
    } finally {
      if (latest.get(key) === own) latest.delete(key);
    }
  };
}
