import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { root } from './lib/root.mjs';
import { readPlaywrightReport, readVitestReport } from './lib/test-reports.mjs';

let folder;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'mems-reports-'));
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

function write(report) {
  const file = join(folder, 'report.json');
  writeFileSync(file, JSON.stringify(report));
  return file;
}

const vitest = (counts, testResults = []) =>
  write({
    numPassedTests: 0,
    numFailedTests: 0,
    numPendingTests: 0,
    numTodoTests: 0,
    ...counts,
    testResults,
  });
const playwright = (stats, errors = []) =>
  write({ stats: { expected: 0, unexpected: 0, flaky: 0, skipped: 0, ...stats }, errors });

describe('counting the tests', () => {
  it('takes over what the runners say', () => {
    const file = vitest({ numPassedTests: 7, numFailedTests: 2, numPendingTests: 1 });
    expect(readVitestReport(file, 1)).toEqual({ passed: 7, failed: 2, skipped: 1, details: [] });
    const other = playwright({ expected: 5, unexpected: 1, flaky: 1, skipped: 2 });
    expect(readPlaywrightReport(other, 1)).toEqual({ passed: 5, failed: 2, skipped: 2 });
  });

  it('counts a file that could not be run', () => {
    const broken = { name: '/x.test.ts', status: 'failed', message: 'No such module', assertionResults: [] };
    const report = readVitestReport(vitest({ numPassedTests: 7 }, [broken]), 1);
    expect(report).toMatchObject({ passed: 7, failed: 1 });
    expect(report.details).toEqual([expect.stringMatching(/x\.test\.ts\n +No such module$/)]);
  });

  it('tells what went wrong, and where in our own code', () => {
    const [good, bad] = [
      { fullName: 'a flea jumps', status: 'passed', failureMessages: [] },
      {
        fullName: 'a flea lands at https://ground',
        status: 'failed',
        failureMessages: ['Error: no ground\n    at /node_modules/x.js:1\n    at /flea.test.ts:7'],
      },
    ];
    const file = { name: join(root, 'server/flea.test.ts'), status: 'failed', assertionResults: [good, bad] };
    expect(readVitestReport(vitest({ numPassedTests: 1, numFailedTests: 1 }, [file]), 1).details).toEqual([
      'server/flea.test.ts › a flea lands at https://ground\n    Error: no ground\n        at /flea.test.ts:7',
    ]);
  });

  it('counts errors outside of tests', () => {
    expect(readPlaywrightReport(playwright({ expected: 5 }, [{ message: 'no server' }]), 1)).toMatchObject({
      failed: 1,
    });
  });

  it('does not take a runner at its word that failed without a failed test, or found none', () => {
    expect(readVitestReport(vitest({ numPassedTests: 7 }), 1)).toMatchObject({ passed: 7, failed: 1 });
    expect(readVitestReport(vitest({}), 0)).toMatchObject({ passed: 0, failed: 1 });
    expect(readPlaywrightReport(join(folder, 'never-written.json'), 0)).toMatchObject({
      passed: 0,
      failed: 1,
    });
  });
});
