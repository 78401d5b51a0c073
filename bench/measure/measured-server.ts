import type { BenchCase, BenchRequest } from '../cases/bench-case.ts';
import { allCases } from '../cases/all-cases.ts';
import type { Environment } from '../environment/start-environment.ts';

export type Side = 'app' | 'baseline';

/** The app or the baseline, with the requests of a case. */
export type MeasuredServer = {
  origin: string;
  requests: { method: 'GET' | 'PATCH'; path: string; headers: Record<string, string>; body?: string }[];
};

export function toMeasuredServer(
  side: Side,
  benchCase: BenchCase,
  { data, app, baseline }: Environment,
): MeasuredServer {
  const prefix = side === 'app' ? '' : `/${allCases.indexOf(benchCase)}`;
  const complete = ({ method = 'GET', path, headers, json }: BenchRequest) => ({
    method,
    path: `${prefix}${path}`,
    headers: {
      Cookie: data.cookie,
      ...(json && { 'Content-Type': 'application/json' }),
      ...headers,
    },
    ...(json && { body: JSON.stringify(json) }),
  });
  return { origin: side === 'app' ? app : baseline, requests: benchCase.requests(data).map(complete) };
}
