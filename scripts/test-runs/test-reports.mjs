import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { root } from '../lib/root.mjs';

const MESSAGE_LINES = 12;
/** More flaky tests than this count as failed. */
export const MAX_FLAKY = 20;

/**
 * What became of a test after all attempts.
 * @typedef {{ title: string, status: 'passed' | 'flaky' | 'failed' | 'skipped', error?: string }} Outcome
 *
 * The result of one attempt of a test, or of a whole file, which fails if it cannot be run or has an error outside of its tests.
 * @typedef {{ title: string, file: string, isFile?: boolean, status: 'passed' | 'failed' | 'skipped', error?: string }} Result
 */

/** @returns {Result[]} of one attempt; `file` is relative to the root, and empty for an error that belongs to none */
export function readVitestReport(path, exitCode) {
  const results = [];
  try {
    const { testResults, errorsOutsideTests } = JSON.parse(readFileSync(path, 'utf8'));
    for (const each of testResults) {
      const errors = errorsOutsideTests.filter(({ file }) => file === each.name);
      results.push(...resultsOfFile(each, errors));
    }
    const files = testResults.map(({ name }) => name);
    for (const { file, message } of errorsOutsideTests)
      if (!files.includes(file)) results.push(runnerFailure('Vitest', message));
  } catch (error) {
    return [runnerFailure('Vitest', `wrote no report: ${error.message}`)];
  }
  return [...results, ...exitCodeFailure('Vitest', exitCode, results)];
}

function resultsOfFile({ name, status, message, assertionResults }, errors) {
  const file = relative(root, name);
  const counts = new Map();
  const tests = assertionResults.map(({ fullName, status, failureMessages }) => {
    const title = `${file} › ${fullName}`;
    const count = (counts.get(title) ?? 0) + 1;
    counts.set(title, count);
    return {
      // Tests of the same name are told apart by their order.
      title: count === 1 ? title : `${title} (${count})`,
      file,
      status: status === 'passed' || status === 'failed' ? status : 'skipped',
      error: failureMessages.join('\n'),
    };
  });
  const messages = errors.map((error) => error.message);
  const isUnexplained = status === 'failed' && tests.every((test) => test.status !== 'failed');
  if (messages.length === 0 && isUnexplained) messages.push(message);
  const fileStatus = messages.length > 0 ? 'failed' : 'passed';
  return [{ title: file, file, isFile: true, status: fileStatus, error: messages.join('\n') }, ...tests];
}

/**
 * A test that failed on one attempt and passed on another is flaky. Files count only if they failed.
 * @param {Result[][]} attempts
 * @returns {Outcome[]}
 */
export function mergeAttempts(attempts) {
  const byTitle = new Map();
  for (const result of attempts.flat())
    byTitle.set(result.title, [...(byTitle.get(result.title) ?? []), result]);
  return [...byTitle].flatMap(([title, results]) => {
    const failure = results.find(({ status }) => status === 'failed');
    const hasPassed = results.some(({ status }) => status === 'passed');
    if (failure) return [{ title, status: hasPassed ? 'flaky' : 'failed', error: failure.error }];
    return results[0].isFile ? [] : [{ title, status: hasPassed ? 'passed' : 'skipped' }];
  });
}

const PLAYWRIGHT_STATUS = { expected: 'passed', unexpected: 'failed', flaky: 'flaky', skipped: 'skipped' };

/** Playwright repeats tests itself. @returns {Outcome[]} */
export function readPlaywrightReport(path, exitCode) {
  let outcomes;
  try {
    const { suites, errors } = JSON.parse(readFileSync(path, 'utf8'));
    outcomes = [
      ...suites.flatMap((suite) => outcomesOfSuite(suite, [])),
      ...errors.map(({ message }) => runnerFailure('Playwright', message)),
    ];
  } catch (error) {
    return [runnerFailure('Playwright', `wrote no report: ${error.message}`)];
  }
  return [...outcomes, ...exitCodeFailure('Playwright', exitCode, outcomes)];
}

function outcomesOfSuite({ title, specs = [], suites = [] }, parents) {
  const titles = [...parents, title];
  return [
    ...specs.flatMap((spec) =>
      spec.tests.map(({ projectName, status, results }) => ({
        title: `${[...titles, spec.title].join(' › ')} [${projectName}]`,
        status: PLAYWRIGHT_STATUS[status],
        error: results.find(({ error }) => error)?.error.message,
      })),
    ),
    ...suites.flatMap((suite) => outcomesOfSuite(suite, titles)),
  ];
}

const runnerFailure = (runner, error) => ({ title: runner, file: '', status: 'failed', error });

/** Also failed: a runner that ended with an error without a failed test, or ran none. */
function exitCodeFailure(runner, exitCode, results) {
  if (results.some(({ status }) => status === 'failed')) return [];
  if (exitCode !== 0) return [runnerFailure(runner, `ended with code ${exitCode} without a failed test`)];
  const hasPassed = results.some(({ status, isFile }) => !isFile && status !== 'skipped');
  return hasPassed ? [] : [runnerFailure(runner, 'ran no test')];
}

/** Flaky tests count as passed, up to `maxFlaky`. */
export function countOutcomes(outcomes, maxFlaky = MAX_FLAKY) {
  const number = (status) => outcomes.filter((each) => each.status === status).length;
  const tooMany = Math.max(0, number('flaky') - maxFlaky);
  return {
    passed: number('passed') + number('flaky') - tooMany,
    failed: number('failed') + tooMany,
    skipped: number('skipped'),
  };
}

/** The title, and below it the first lines of the error, without those of libraries. */
export function describeOutcome({ title, error = '' }) {
  const lines = error.split('\n').filter((line) => line && !line.includes('node_modules'));
  return [title, ...lines.slice(0, MESSAGE_LINES)].join('\n    ');
}
