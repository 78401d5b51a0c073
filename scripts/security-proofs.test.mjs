import { describe, expect, it } from 'vitest';
import { checkProofs, readProofs } from './lib/security-proofs.mjs';

const PROOFS = readProofs(
  'A sentence: `server/a.test.ts` "refuses %s", "is limited (per hour)", `e2e/b.spec.ts` "signs out".',
);

describe('the proofs of docs/security.md', () => {
  it('are the quoted titles after each file', () => {
    expect(PROOFS).toEqual([
      { file: 'server/a.test.ts', title: 'refuses %s' },
      { file: 'server/a.test.ts', title: 'is limited (per hour)' },
      { file: 'e2e/b.spec.ts', title: 'signs out' },
    ]);
  });

  it('are missing if the test failed, did not run, or is in another file', () => {
    const outcomes = [
      { title: 'server/a.test.ts › sessions refuses strangers', status: 'passed' },
      { title: 'server/a.test.ts › sessions is limited (per hour)', status: 'failed' },
      { title: 'other.spec.ts › signs out [desktop]', status: 'passed' },
    ];
    expect(checkProofs(PROOFS, outcomes)).toEqual({ unproved: PROOFS.slice(1), skipped: [] });
  });

  it('may be flaky; skipped ones are named', () => {
    const outcomes = [
      { title: 'server/a.test.ts › sessions refuses strangers', status: 'flaky' },
      { title: 'server/a.test.ts › sessions is limited (per hour)', status: 'passed' },
      { title: 'b.spec.ts › sessions › signs out [desktop]', status: 'skipped' },
    ];
    expect(checkProofs(PROOFS, outcomes)).toEqual({ unproved: [], skipped: PROOFS.slice(2) });
  });
});
