import type { Request } from 'express';
import { toNetwork } from '../client-ip.ts';
import type { Clock } from '../clock.ts';
import { describeDevice } from '../describe-device.ts';

/** When and where something was done. Null for what no browser did. */
export type RequestSource = { now: Date; device: string | null; network: string | null };

export function requestSource(request: Request, clock: Clock): RequestSource {
  return { now: clock.now(), device: describeDevice(request.get('User-Agent')), network: toNetwork(request) };
}
