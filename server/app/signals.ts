const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Resolves with the first signal that asks the process to end. Later ones change nothing: a Ctrl-C arrives twice,
 * from the terminal and again from npm, and the end takes ten seconds at most anyway.
 */
export function endOnSignals(): Promise<string> {
  return new Promise((resolve) => {
    for (const signal of SIGNALS) process.on(signal, () => resolve(signal));
  });
}
