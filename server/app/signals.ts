const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Resolves with the first signal that asks the process to end. Ignores later ones: a Ctrl-C arrives twice, from the
 * terminal and from npm, and the shutdown has its own timeout.
 */
export function shutdownSignal(): Promise<string> {
  return new Promise((resolve) => {
    for (const signal of SIGNALS) process.on(signal, () => resolve(signal));
  });
}
