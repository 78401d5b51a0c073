import type { BenchCase, BenchRequest } from '../cases/bench-case.ts';
import { allCases } from '../cases/all-cases.ts';
import type { Stage } from '../stage/start-stage.ts';

export type Side = 'app' | 'floor';

/** One of the two that are measured, with what it is asked. */
export type Contender = {
  origin: string;
  requests: { method: 'GET' | 'PATCH'; path: string; headers: Record<string, string>; body?: string }[];
};

export function contenderOf(side: Side, benchCase: BenchCase, { facts, app, floor }: Stage): Contender {
  const prefix = side === 'app' ? '' : `/${allCases.indexOf(benchCase)}`;
  const complete = ({ method = 'GET', path, headers, json }: BenchRequest) => ({
    method,
    path: `${prefix}${path}`,
    headers: {
      Cookie: facts.cookie,
      ...(json && { 'Content-Type': 'application/json' }),
      ...headers,
    },
    ...(json && { body: JSON.stringify(json) }),
  });
  return { origin: side === 'app' ? app : floor, requests: benchCase.requests(facts).map(complete) };
}
