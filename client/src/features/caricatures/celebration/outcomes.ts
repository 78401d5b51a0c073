import type { Caricature } from '#shared/caricature';

/** What has become of the caricatures that were waited for. */
export interface Outcomes {
  completed: Caricature[];
  failed: Caricature[];
}

/** Told apart by their ids alone: the same photo may have older ones. */
export function outcomesOf(awaited: string[], caricatures: Caricature[]): Outcomes {
  const found = caricatures.filter(({ id }) => awaited.includes(id));
  return {
    completed: found.filter(({ status }) => status === 'completed'),
    failed: found.filter(({ status }) => status === 'failed'),
  };
}
