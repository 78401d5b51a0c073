import { readFileSync } from 'node:fs';

/** How many tests of a vitest run passed and failed; a file that could not be run counts as one that failed. */
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
    };
  });
}

/** The same for Playwright. One that passed only when tried again has not passed. */
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

/** A runner that fails without a failed test, ends without a report or finds no test has failed, too. */
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
