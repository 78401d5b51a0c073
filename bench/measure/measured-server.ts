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
  { data, app, baselines }: Pick<Environment, 'data' | 'app' | 'baselines'>,
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
  const origin = side === 'app' ? app : baselines[benchCase.comparedTo ?? 'node:http'];
  return { origin, requests: benchCase.requests(data).map(complete) };
}
