import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { root } from '../lib/root.mjs';
import { runVitest } from './run-vitest.mjs';
import {
  mergeAttempts,
  countOutcomes,
  describeOutcome,
  readPlaywrightReport,
  readVitestReport,
} from './test-reports.mjs';

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

const test = (fullName, status, message) => ({
  fullName,
  status,
  failureMessages: message ? [message] : [],
});
const testFile = (name, tests, message = '') => ({
  name: join(root, name),
  status: message || tests.some(({ status }) => status === 'failed') ? 'failed' : 'passed',
  message,
  assertionResults: tests,
});
const vitest = (testResults, errorsOutsideTests = []) => write({ testResults, errorsOutsideTests });
const FLEA = 'server/flea.test.ts';

describe('counting the tests of Vitest', () => {
  const count = (file, code) => countOutcomes(mergeAttempts([readVitestReport(file, code)]));

  it('takes over what it says', () => {
    const tests = [test('a', 'passed'), test('b', 'failed', 'no'), test('c', 'pending'), test('d', 'todo')];
    expect(count(vitest([testFile(FLEA, tests)]), 1)).toEqual({ passed: 1, failed: 1, skipped: 2 });
  });

  it('tells tests of the same name apart', () => {
    const tests = [test('a', 'passed'), test('a', 'failed', 'no')];
    expect(count(vitest([testFile(FLEA, tests)]), 1)).toMatchObject({ passed: 1, failed: 1 });
  });

  it('counts a file that could not be run', () => {
    const files = [testFile(FLEA, [test('a', 'passed')]), testFile('server/x.test.ts', [], 'No such module')];
    const outcomes = mergeAttempts([readVitestReport(vitest(files), 1)]);
    expect(countOutcomes(outcomes)).toMatchObject({ passed: 1, failed: 1 });
    expect(outcomes.at(-1)).toEqual({
      title: 'server/x.test.ts',
      status: 'failed',
      error: 'No such module',
    });
  });

  it('counts errors outside of tests for their file, or for Vitest', () => {
    const files = [testFile(FLEA, [test('a', 'passed')])];
    const inFile = vitest(files, [{ file: join(root, FLEA), message: 'a rejection' }]);
    expect(readVitestReport(inFile, 1).filter(({ status }) => status === 'failed')).toEqual([
      { title: FLEA, file: FLEA, isFile: true, status: 'failed', error: 'a rejection' },
    ]);
    expect(count(vitest(files, [{ message: 'out of memory' }]), 1)).toMatchObject({ passed: 1, failed: 1 });
  });

  it('counts a failure that it does not explain', () => {
    const files = [testFile(FLEA, [test('a', 'passed')])];
    expect(count(vitest(files), 1)).toMatchObject({ passed: 1, failed: 1 });
    expect(count(vitest([]), 0)).toMatchObject({ passed: 0, failed: 1 });
    expect(count(join(folder, 'never-written.json'), 0)).toMatchObject({ passed: 0, failed: 1 });
  });
});

describe('repeating the tests of Vitest', () => {
  /** Each attempt is [files of the report, exit code, errors outside of tests]. */
  async function runWith(attempts, retries = 2) {
    const calls = [];
    const run = (_, args) => {
      const report = args.find((arg) => arg.startsWith('--outputFile')).split('=')[1];
      const [testResults, code, errorsOutsideTests = []] = attempts[calls.length];
      writeFileSync(report, JSON.stringify({ testResults, errorsOutsideTests }));
      calls.push(args.filter((arg) => !arg.startsWith('--')).slice(1));
      return Promise.resolve(code);
    };
    return { outcomes: await runVitest({ folder, retries, run }), calls };
  }

  const [good, bad] = [test('a', 'passed'), test('a', 'failed', 'Error: first')];
  const other = testFile('server/other.test.ts', [test('b', 'passed')]);

  it('repeats only files with a failure, and lists what passes then as flaky, with its first error', async () => {
    const { outcomes, calls } = await runWith([
      [[testFile(FLEA, [bad]), other], 1],
      [[testFile(FLEA, [test('a', 'failed', 'Error: second')])], 1],
      [[testFile(FLEA, [good])], 0],
    ]);
    expect(calls).toEqual([[], [FLEA], [FLEA]]);
    expect(outcomes).toEqual([
      { title: `${FLEA} › a`, status: 'flaky', error: 'Error: first' },
      { title: 'server/other.test.ts › b', status: 'passed' },
    ]);
    expect(countOutcomes(outcomes)).toEqual({ passed: 2, failed: 0, skipped: 0 });
  });

  it('counts what fails every time as failed', async () => {
    const { outcomes, calls } = await runWith(Array(3).fill([[testFile(FLEA, [bad])], 1]));
    expect(calls).toHaveLength(3);
    expect(countOutcomes(outcomes)).toEqual({ passed: 0, failed: 1, skipped: 0 });
  });

  it('counts the tests of a file that can be run on another attempt', async () => {
    const { outcomes } = await runWith([
      [[testFile(FLEA, [], 'No such module')], 1],
      [[testFile(FLEA, [good])], 0],
    ]);
    expect(outcomes.map(({ title, status }) => [title, status])).toEqual([
      [FLEA, 'flaky'],
      [`${FLEA} › a`, 'passed'],
    ]);
  });

  it('fails if a hook fails each time, whatever becomes of the tests', async () => {
    const hook = [{ file: join(root, FLEA), message: 'Error: in a hook' }];
    const skipped = test('c', 'skipped');
    const { outcomes } = await runWith([
      [[testFile(FLEA, [bad, skipped])], 1, hook],
      [[testFile(FLEA, [good, skipped])], 1, hook],
      [[testFile(FLEA, [good, skipped])], 1, hook],
    ]);
    expect(outcomes[0]).toEqual({ title: FLEA, status: 'failed', error: 'Error: in a hook' });
    expect(countOutcomes(outcomes)).toMatchObject({ failed: 1 });
  });

  it('fails if the repetition fails without a failed test', async () => {
    const { outcomes } = await runWith([
      [[testFile(FLEA, [bad])], 1],
      [[testFile(FLEA, [good])], 1],
    ]);
    expect(countOutcomes(outcomes)).toMatchObject({ failed: 1 });
  });

  it('repeats nothing without retries', async () => {
    const { outcomes, calls } = await runWith([[[testFile(FLEA, [bad])], 1]], 0);
    expect(calls).toHaveLength(1);
    expect(countOutcomes(outcomes)).toMatchObject({ failed: 1 });
  });
});

describe('counting the tests of Playwright', () => {
  const spec = (title, ...tests) => ({
    title,
    tests: tests.map(([projectName, status, ...messages]) => ({
      projectName,
      status,
      results: messages.map((message) => (message ? { error: { message } } : {})),
    })),
  });
  const report = (specs, errors = []) =>
    write({ suites: [{ title: 'a.spec.ts', specs: [], suites: [{ title: 'group', specs }] }], errors });

  it('takes over what it says, by project, with the first error of a flaky test', () => {
    const file = report([
      spec('good', ['phone', 'expected', ''], ['desktop', 'skipped']),
      spec('odd', ['desktop', 'flaky', 'Error: first', '']),
      spec('bad', ['desktop', 'unexpected', 'Error: one', 'Error: two', 'Error: three']),
    ]);
    const outcomes = readPlaywrightReport(file, 1);
    expect(outcomes.slice(2)).toEqual([
      { title: 'a.spec.ts › group › odd [desktop]', status: 'flaky', error: 'Error: first' },
      { title: 'a.spec.ts › group › bad [desktop]', status: 'failed', error: 'Error: one' },
    ]);
    expect(countOutcomes(outcomes)).toEqual({ passed: 2, failed: 1, skipped: 1 });
  });

  it('counts errors outside of tests, and a failure that it does not explain', () => {
    const good = [spec('good', ['phone', 'expected', ''])];
    const count = (file, code) => countOutcomes(readPlaywrightReport(file, code));
    expect(count(report(good, [{ message: 'no server' }]), 1)).toMatchObject({ passed: 1, failed: 1 });
    expect(count(report(good), 1)).toMatchObject({ passed: 1, failed: 1 });
    expect(count(report([]), 0)).toMatchObject({ passed: 0, failed: 1 });
    expect(count(join(folder, 'never-written.json'), 0)).toMatchObject({ passed: 0, failed: 1 });
  });
});

it('counts flaky tests as passed, up to a number', () => {
  const flaky = (count) => Array.from({ length: count }, (_, n) => ({ title: `${n}`, status: 'flaky' }));
  expect(countOutcomes(flaky(20))).toEqual({ passed: 20, failed: 0, skipped: 0 });
  expect(countOutcomes(flaky(23))).toEqual({ passed: 20, failed: 3, skipped: 0 });
});

it('tells what went wrong, and where in our own code', () => {
  const error = 'Error: no ground\n    at /node_modules/x.js:1\n    at /flea.test.ts:7';
  expect(describeOutcome({ title: 'flea › lands', error })).toBe(
    'flea › lands\n    Error: no ground\n        at /flea.test.ts:7',
  );
});
