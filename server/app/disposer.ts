export type Disposer = ReturnType<typeof createDisposer>;

/** Closes resources in the reverse order of opening. */
export function createDisposer() {
  const closers: ((timeoutMs: number) => Promise<void>)[] = [];
  return {
    add<T>(resource: T, close: (resource: T, timeoutMs: number) => Promise<void>): T {
      closers.push((timeoutMs) => close(resource, timeoutMs));
      return resource;
    },
    /** Closes all even if some fail, then throws the first error. */
    async dispose(timeoutMs = 0): Promise<void> {
      const errors: unknown[] = [];
      for (let close = closers.pop(); close; close = closers.pop())
        try {
          await close(timeoutMs);
        } catch (error) {
          errors.push(error);
        }
      if (errors.length > 0) throw errors[0];
    },
  };
}
