/**
 * Holds something for this tab alone; one that was closed or has crashed lets go of it by itself.
 * @returns what lets go of it; null when another tab has not done so in time
 */
export async function holdInThisTab(name: string, patienceMs: number): Promise<(() => void) | null> {
  // Without locks (plain http) every tab gets it: then the server alone makes one memory of one address.
  if (!('locks' in navigator)) return () => {};
  const request = (options: LockOptions) =>
    new Promise<(() => void) | null>((resolve, reject) => {
      const hold = (lock: Lock | null) => (lock ? new Promise<void>(resolve) : resolve(null));
      navigator.locks.request(name, options, hold).catch(reject);
    });
  return (
    request({ signal: AbortSignal.timeout(patienceMs) })
      // The time runs out as well while this tab is too busy to hear that it has it: what counts is who has it now.
      .catch(() => request({ ifAvailable: true }))
      .catch(() => null)
  );
}
