import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
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
    expect(readVitestReport(file, 1)).toEqual({ passed: 7, failed: 2, skipped: 1 });
    const other = playwright({ expected: 5, unexpected: 1, flaky: 1, skipped: 2 });
    expect(readPlaywrightReport(other, 1)).toEqual({ passed: 5, failed: 2, skipped: 2 });
  });

  it('counts a file that could not be run', () => {
    const file = vitest({ numPassedTests: 7 }, [{ status: 'failed', assertionResults: [] }]);
    expect(readVitestReport(file, 1)).toMatchObject({ passed: 7, failed: 1 });
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
