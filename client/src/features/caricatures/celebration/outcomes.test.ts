import { describe, expect, it } from 'vitest';
import type { Caricature } from '#shared/caricature';
import { someCaricature } from '../../../testing/some-caricature.ts';
import { outcomesOf } from './outcomes.ts';

const first = '0191c0de-0000-7000-8000-000000000001';
const second = '0191c0de-0000-7000-8000-000000000002';

describe('the outcomes of what was waited for', () => {
  it('are told apart by their ids, never by the photo, which may have older ones', () => {
    const caricatures: Caricature[] = [
      someCaricature({ id: first, status: 'generating' }),
      someCaricature({ id: second, status: 'completed' }),
    ];
    expect(outcomesOf([first], caricatures)).toEqual({ completed: [], failed: [] });
    expect(outcomesOf([second], caricatures).completed.map(({ id }) => id)).toEqual([second]);
  });

  it('may be failures, and say nothing of what is not in sight', () => {
    const failed = someCaricature({ id: first, status: 'failed', failureReason: 'moderation' });
    expect(outcomesOf([first, second], [failed])).toEqual({ completed: [], failed: [failed] });
  });
});
