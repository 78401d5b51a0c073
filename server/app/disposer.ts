/** Closes resources in the reverse order of opening. */
export function createDisposer() {
  const closers: (() => Promise<void>)[] = [];
  return {
    add<T>(resource: T, close: (resource: T) => Promise<void>): T {
      closers.push(() => close(resource));
      return resource;
    },
    /** Closes all even if some fail, then throws the first error. */
    async dispose(): Promise<void> {
      const errors: unknown[] = [];
      for (let close = closers.pop(); close; close = closers.pop())
        await close().catch((error: unknown) => errors.push(error));
      if (errors.length > 0) throw errors[0];
    },
  };
}
