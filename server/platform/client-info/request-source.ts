import type { Clock } from '../time/clock.ts';
import { toNetwork } from './client-ip.ts';
import { describeDevice } from './describe-device.ts';

/** When and where something was done. Null for what no browser did. */
export type RequestSource = { now: Date; device: string | null; network: string | null };

/** Of Express. */
type Request = { ip?: string | undefined; get(header: string): string | undefined };

export function requestSource(request: Request, clock: Clock): RequestSource {
  return { now: clock.now(), device: describeDevice(request.get('User-Agent')), network: toNetwork(request) };
}
