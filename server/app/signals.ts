/** Resolves with the first signal. Later ones are ignored: a Ctrl-C arrives twice, from the terminal and from npm. */
export function shutdownSignal(): Promise<string> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => resolve(signal));
  });
}
