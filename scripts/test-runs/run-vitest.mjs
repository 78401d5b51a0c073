import { join } from 'node:path';
import { runTool } from '../lib/run.mjs';
import { mergeAttempts, readVitestReport } from './test-reports.mjs';

/**
 * Runs all tests; then files in which something failed up to `retries` times again, each time in a new process: Vitest's
 * own `retry` repeats neither concurrent tests nor files that could not be loaded, and keeps the state of modules.
 * @param {{ folder: string, retries: number, args?: string[], run?: typeof runTool }} options `folder`: for the reports;
 * `args`: files to run instead of all; others go to runTool
 * @returns {Promise<import('./test-reports.mjs').Outcome[]>}
 */
export async function runVitest({ folder, retries, run = runTool, args = [], ...options }) {
  const attempts = [];
  let files = args;
  for (let index = 0; index <= retries; index++) {
    const report = join(folder, index === 0 ? 'vitest.json' : `vitest-retry-${index}.json`);
    if (index > 0) console.log(`\nAgain, in a new process: ${files.join(', ')}`);
    const reporters = ['--reporter=default', '--reporter=./scripts/test-runs/json-reporter.mjs'];
    const flags = [...reporters, `--outputFile.json=${report}`];
    const code = await run('vitest/vitest.mjs', ['run', ...flags, ...files], options);
    attempts.push(readVitestReport(report, code));
    const failed = attempts.at(-1).filter(({ status }) => status === 'failed');
    files = [...new Set(failed.map(({ file }) => file))].filter(Boolean);
    if (files.length === 0 || options.abort?.aborted) break;
  }
  return mergeAttempts(attempts);
}
