import { expect, it } from 'vitest';
import { renderTestRuns } from './render-test-runs.mjs';

const about = { commit: 'abc123', date: '2026-11-27', busy: 0, isStrict: true };
const run = { passed: 7, failed: 0, skipped: 0, seconds: 601, failedOrFlaky: [] };

it('says so if every test passed at the first attempt', () => {
  expect(renderTestRuns(about, [run, run])).toBe(
    `## abc123, 2026-11-27

2 runs with \`--strict\`, nothing beside them: 7 passed, 0 failed in 10 min 1 s; 7 passed, 0 failed in 10 min 1 s.

Every test passed at the first attempt.
`,
  );
});

it('lists each test that did not, the most frequent first', () => {
  const bad = (...titles) => ({
    ...run,
    failed: 1,
    skipped: 2,
    failedOrFlaky: titles.map((title) => ({ title })),
  });
  const text = renderTestRuns({ ...about, busy: 4, isStrict: false }, [bad('b'), bad('a|c', 'b'), run]);
  expect(text).toContain('3 runs, 4 busy loops beside them: 7 passed, 1 failed, 2 skipped in 10 min 1 s;');
  expect(text.split('\n').filter((line) => line.includes('of 3'))).toEqual([
    '| b | 2 of 3 |',
    '| a\\|c | 1 of 3 |',
  ]);
});
