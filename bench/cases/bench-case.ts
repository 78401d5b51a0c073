import type { Facts } from '../facts.ts';
import type { FloorAnswer, FloorContext } from '../floor/floor-context.ts';

export type BenchRequest = {
  method?: 'GET' | 'PATCH';
  path: string;
  headers?: Record<string, string>;
  json?: object;
};

/** Something that is asked of the app and of the floor alike. */
export type BenchCase = {
  name: string;
  /** Requests a second of the app, as a share of the floor's, at which it stands; null: only looked at. */
  target: number | null;
  /** What it answers, when that is not 200. */
  status?: number;
  /** Asked for in turn; each connection begins with another. */
  requests: (facts: Facts) => BenchRequest[];
  /** The least that answers the same, without a framework. The owner is already known. */
  floor: (context: FloorContext) => Promise<FloorAnswer>;
};
