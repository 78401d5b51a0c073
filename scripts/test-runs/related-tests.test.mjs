import { expect, it } from 'vitest';
import { nearestTests } from './related-tests.mjs';

it('takes the changed tests first, then those that share most folders with a change', () => {
  const tests = ['client/a.test.ts', 'server/x/b.test.ts', 'server/y/z/c.test.ts', 'server/y/d.test.ts'];
  expect(nearestTests(tests, ['server/y/z/code.ts', 'server/x/b.test.ts'], 3)).toEqual([
    'server/x/b.test.ts',
    'server/y/z/c.test.ts',
    'server/y/d.test.ts',
  ]);
});

it('takes a long test only if it was changed itself', () => {
  const tests = ['server/a.test.ts', 'server/long.test.ts', 'server/longer.test.ts'];
  const long = ['server/long.test.ts', 'server/longer.test.ts'];
  expect(nearestTests(tests, ['server/code.ts', 'server/long.test.ts'], 3, long)).toEqual([
    'server/long.test.ts',
    'server/a.test.ts',
  ]);
});
