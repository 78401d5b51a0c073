import { jsonResponse } from '../baseline/baseline-context.ts';
import type { BenchCase } from './bench-case.ts';

/** The cheapest JSON response, without a session or query: the cost of the app's middleware. */
export const helloCase: BenchCase = {
  name: 'Health, compared to Express',
  target: 0.9,
  comparedTo: 'Express',
  isPublic: true,
  requests: () => [{ path: '/api/health' }],
  baseline: () => Promise.resolve(jsonResponse({ status: 'ok' })),
};
