import { appendFile } from 'node:fs/promises';
import { inject } from 'vitest';

/** For the report of `npm run test:faults`. */
export async function recordRound(round: object): Promise<void> {
  const { results } = inject('faults');
  if (results) await appendFile(results, `${JSON.stringify(round)}\n`);
}
