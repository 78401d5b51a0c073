import type { BenchData } from '../data/bench-data.ts';
import type { BaselineContext, BaselineResponse } from '../baseline/baseline-context.ts';

export type BenchRequest = {
  method?: 'GET' | 'PATCH';
  path: string;
  headers?: Record<string, string>;
  json?: object;
};

export type BaselineName = 'node:http' | 'Express';

/** Requests that app and baseline answer with the same responses. */
export type BenchCase = {
  name: string;
  /** The smallest accepted ratio of requests per second, app to baseline. Null: no target. */
  target: number | null;
  /** The expected status; default 200. */
  status?: number;
  /** The server of the baseline; default node:http. */
  comparedTo?: BaselineName;
  /** Sent in turn; each connection starts with another one. */
  requests: (data: BenchData) => BenchRequest[];
} & (
  | {
      isPublic?: false;
      /** The baseline's implementation, after authentication. */
      baseline: (context: BaselineContext) => Promise<BaselineResponse>;
    }
  | { isPublic: true; baseline: () => Promise<BaselineResponse> }
);
