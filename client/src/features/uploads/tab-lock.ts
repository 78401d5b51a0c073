/**
 * Holds something for this tab alone; one that was closed or has crashed lets go of it by itself.
 * @returns what lets go of it; null when another tab has not done so in time
 */
export async function holdInThisTab(name: string, patienceMs: number): Promise<(() => void) | null> {
  // Without locks (plain http) every tab gets it: then the server alone makes one memory of one address.
  if (!('locks' in navigator)) return () => {};
  return new Promise((resolve) => {
    const holding = (): Promise<void> => new Promise((release) => resolve(release));
    navigator.locks
      .request(name, { signal: AbortSignal.timeout(patienceMs) }, holding)
      .catch(() => resolve(null));
  });
}
