import { describe, expect, it } from 'vitest';
import { checkProofs, hasRunningTest, readProofs } from './security-proofs.mjs';

const PROOFS = readProofs(
  'A sentence: `server/a.test.ts`; `e2e/b.spec.ts`, not `server/a.ts`, `docs/c.md`. Again `server/a.test.ts`.',
);

describe('the proofs of docs/asvs.md', () => {
  it('are the test files that it names', () => {
    expect(PROOFS).toEqual(['server/a.test.ts', 'e2e/b.spec.ts']);
  });

  it('are missing if a test of the file failed, or none ran', () => {
    const outcomes = [
      { title: 'server/a.test.ts › sessions rejects strangers', status: 'passed' },
      { title: 'server/a.test.ts › sessions is limited (per hour)', status: 'failed' },
      { title: 'other.spec.ts › signs out [desktop]', status: 'passed' },
    ];
    expect(checkProofs(PROOFS, outcomes)).toEqual({ unproved: PROOFS, skipped: [] });
  });

  it('are missing if the file cannot be loaded', () => {
    const outcomes = [
      { title: 'server/a.test.ts', status: 'failed' },
      { title: 'b.spec.ts › signs out [desktop]', status: 'passed' },
    ];
    expect(checkProofs(PROOFS, outcomes).unproved).toEqual(['server/a.test.ts']);
  });

  it('may be flaky; files of which all tests were skipped are named', () => {
    const outcomes = [
      { title: 'server/a.test.ts › sessions rejects strangers', status: 'flaky' },
      { title: 'server/a.test.ts › sessions is limited (per hour)', status: 'skipped' },
      { title: 'b.spec.ts › sessions › signs out [desktop]', status: 'skipped' },
    ];
    expect(checkProofs(PROOFS, outcomes)).toEqual({ unproved: [], skipped: ['e2e/b.spec.ts'] });
  });

  it.each([
    ["it('works', () => {});", true],
    ["  it.each([1, 2])('works with %i', () => {});", true],
    ["  it.skipIf(isMac)('works', () => {});", true],
    ["test('works', async ({ page }) => {});", true],
    ["it.skip('works', () => {});", false],
    ["test.fixme('works', () => {});", false],
    ["it.todo('works');", false],
    ["// it('works', () => {});", false],
    ["test.describe('sessions', () => {});", false],
  ])('a file with %j has a running test: %s', (source, expected) => {
    expect(hasRunningTest(source)).toBe(expected);
  });
});
