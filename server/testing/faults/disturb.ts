import { setTimeout as pause } from 'node:timers/promises';
import type { Proxy } from '../environment/proxy.ts';

export const FAULT_MS = 1_000;
const PAUSE_MS = 500;

export type Fault = (proxy: Proxy) => void;

/** Down, slow and silent, for `FAULT_MS` each. */
export const outages: readonly Fault[] = [
  (proxy) => void proxy.fail('refused'),
  (proxy) => void proxy.fail({ delayMs: FAULT_MS / 2 }),
  (proxy) => proxy.stall(),
];

/** One after the other, with work in between. */
export async function disturb(proxy: Proxy, faults: readonly Fault[]): Promise<void> {
  for (const fault of faults) {
    await pause(PAUSE_MS);
    fault(proxy);
    await pause(FAULT_MS);
    proxy.resume();
  }
}
