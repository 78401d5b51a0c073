/** What was opened so far and how to close it again: a failed start and an orderly end both go back the same way. */
export function createDisposer() {
  const undos: (() => Promise<void>)[] = [];
  return {
    push<T>(opened: T, undo: (opened: T) => Promise<void>): T {
      undos.push(() => undo(opened));
      return opened;
    },
    /** Last opened, first closed. One that fails does not keep the others open; its error is thrown at the end. */
    async undo(): Promise<void> {
      const errors: unknown[] = [];
      for (let undo = undos.pop(); undo; undo = undos.pop())
        await undo().catch((error: unknown) => errors.push(error));
      if (errors.length > 0) throw errors[0];
    },
  };
}
