import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { root } from './root.mjs';

const MESSAGE_LINES = 12;

/** A file that could not be run counts as one failed test. `details` describes each failure. */
export function readVitestReport(file, exitCode) {
  return judge(exitCode, () => {
    const report = JSON.parse(readFileSync(file, 'utf8'));
    const broken = report.testResults.filter(
      ({ status, assertionResults }) =>
        status === 'failed' && !assertionResults.some((each) => each.status === 'failed'),
    );
    return {
      passed: report.numPassedTests,
      failed: report.numFailedTests + broken.length,
      skipped: report.numPendingTests + report.numTodoTests,
      details: [
        ...broken.map(({ name, message }) => describe([relative(root, name)], message)),
        ...report.testResults.flatMap(({ name, assertionResults }) =>
          assertionResults
            .filter(({ status }) => status === 'failed')
            .map(({ fullName, failureMessages }) =>
              describe([relative(root, name), fullName], failureMessages.join('\n')),
            ),
        ),
      ],
    };
  });
}

function describe(names, message) {
  const lines = message.split('\n').filter((line) => !line.includes('node_modules'));
  return [names.join(' › '), ...lines.slice(0, MESSAGE_LINES)].join('\n    ');
}

/** The same for Playwright. A flaky test counts as failed. */
export function readPlaywrightReport(file, exitCode) {
  return judge(exitCode, () => {
    const { stats, errors } = JSON.parse(readFileSync(file, 'utf8'));
    return {
      passed: stats.expected,
      failed: stats.unexpected + stats.flaky + errors.length,
      skipped: stats.skipped,
    };
  });
}

/** Also failed: a runner that fails without a failed test, writes no report or finds no test. */
function judge(exitCode, read) {
  let counts;
  try {
    counts = read();
  } catch {
    return { passed: 0, failed: 1, skipped: 0 };
  }
  const isSilent = counts.failed === 0 && (exitCode !== 0 || counts.passed === 0);
  return isSilent ? { ...counts, failed: 1 } : counts;
}
