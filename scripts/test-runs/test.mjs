// npm test: every check and test. Each part runs even if an earlier one failed.
// --strict: nothing is repeated.
import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import { requireNode } from '../lib/node-version.mjs';

requireNode();
const { mkdirSync, rmSync, writeFileSync } = await import('node:fs');
const { join } = await import('node:path');
const { cleanEnvironment } = await import('../lib/clean-environment.mjs');
const { root } = await import('../lib/root.mjs');
const { countOutcomes, describeOutcome, MAX_FLAKY, readPlaywrightReport } =
  await import('./test-reports.mjs');
const { checkProofs, readProofs } = await import('../checks/security-proofs.mjs');
const { runVitest } = await import('./run-vitest.mjs');
const { auditPackages } = await import('../checks/audit.mjs');
const { ensurePackages } = await import('../lib/packages.mjs');
const { ensureBuilt } = await import('../lib/build-steps.mjs');
const { orEnd, runTool } = await import('../lib/run.mjs');
const { provideS3 } = await import('./s3-server.mjs');
const { watchProgress } = await import('./progress-watchdog.mjs');

const CHECK_TIMEOUT_MS = 20 * 60_000;
/** Longer than any test may take: its own timeout reports better. */
const STALL_MINUTES = 12;
const { values: options } = parseArgs({ options: { strict: { type: 'boolean', default: false } } });
/** Repetitions of a failed test. */
const MAX_RETRIES = options.strict ? 0 : 2;
const reports = join(root, '.cache', 'test-reports');
const env = cleanEnvironment();
// Output goes through a pipe, which the reporters take for a file.
if (process.stdout.isTTY) env.FORCE_COLOR ??= '1';
// The same in every attempt: chance must not hide a failure.
env.FAULTS_SEED = process.env.FAULTS_SEED ?? String(randomInt(10 ** 9));
if (process.env.FAST_CHECK_SEED) env.FAST_CHECK_SEED = process.env.FAST_CHECK_SEED;
const startedAt = performance.now();
/** @type {import('./test-reports.mjs').Outcome[]} */
const outcomes = [];
/** Repeated at the end, since earlier output scrolls away. */
const details = [];

function header(title) {
  const seconds = Math.round((performance.now() - startedAt) / 1000);
  console.log(`\n— ${title} (${Math.floor(seconds / 60)} min ${seconds % 60} s)`);
}

function countCheck(title, isPassed) {
  outcomes.push({ title, status: isPassed ? 'passed' : 'failed' });
}

async function build() {
  header('build');
  const isBuilt = await ensureBuilt().then(
    () => true,
    (error) => console.error(error.message),
  );
  countCheck('build', isBuilt === true);
}

/** Prints nothing until it has ended: the unit tests print at the same time. */
async function check(title, path, ...args) {
  const options = { env, timeoutMs: CHECK_TIMEOUT_MS, capture: true };
  const { code, output } = await runTool(path, args, options);
  return () => {
    header(title);
    process.stdout.write(output);
    countCheck(title, code === 0);
  };
}

/** Linting reads all types itself, and takes as long as the others together. @returns functions that print the results */
async function checkSources() {
  const lint = check('lint', 'eslint/bin/eslint.js', '.');
  const types = await check('types', 'typescript-7/bin/tsc', '-b');
  const format = await check('format', 'prettier/bin/prettier.cjs', '--check', '--log-level=warn', '.');
  const folders = ['client', 'server', 'shared', 'bench'];
  const rules = ['--config', '.dependency-cruiser.cjs', ...folders];
  const imports = await check('import rules', 'dependency-cruiser/bin/dependency-cruise.mjs', ...rules);
  return [types, format, imports, await lint];
}

/** @returns {Promise<() => string | null>} prints the result; returns why there was none */
async function checkAdvisories() {
  const { isAnswered, isPassed, text } = await auditPackages(env);
  return () => {
    header('advisories');
    console.log(text);
    if (isAnswered) countCheck('advisories', isPassed);
    return isAnswered ? null : text;
  };
}

/** Runs tests until they end, or until none has finished for too long. */
async function runTests(title, run) {
  header(title);
  const { stop, ...watchdog } = watchProgress(STALL_MINUTES * 60_000);
  outcomes.push(...(await run(watchdog)));
  stop();
  if (watchdog.abort.aborted)
    details.push(`${title}: stopped, because no test had finished for ${STALL_MINUTES} minutes.`);
}

/** Each test file that docs/asvs.md names must have run and passed; some run only where the system allows it. */
function checkSecurityProofs() {
  const { unproved, skipped } = checkProofs(readProofs(), outcomes);
  const list = (files) => files.map((file) => `  ${file}`).join('\n');
  if (skipped.length > 0) details.push(`Proofs of docs/asvs.md that were skipped:\n${list(skipped)}`);
  if (unproved.length > 0) details.push(`docs/asvs.md, not proved:\n${list(unproved)}`);
  countCheck('the proofs of docs/asvs.md', unproved.length === 0);
}

await orEnd(ensurePackages());
const { provideBrowser } = await import('../lib/browser.mjs');
rmSync(reports, { recursive: true, force: true });
mkdirSync(reports, { recursive: true });
// First: a missing browser is reported at once.
const chromiumPath = await orEnd(provideBrowser());
const [s3] = await Promise.all([provideS3(), build()]);
Object.assign(env, s3?.env);

// Unit tests often wait for a process or a lock; the checks use the processor in that time.
const checked = checkSources();
const audited = checkAdvisories();
await runTests('unit and integration tests', (watchdog) =>
  runVitest({ folder: reports, retries: MAX_RETRIES, env, ...watchdog }),
);
for (const print of await checked) print();
const missingAudit = (await audited)();
const playwrightReport = join(reports, 'playwright.json');
await runTests('end-to-end tests', async (watchdog) => {
  const settings = { CHROMIUM_PATH: chromiumPath, PLAYWRIGHT_JSON_OUTPUT_FILE: playwrightReport };
  const args = ['test', `--retries=${MAX_RETRIES}`];
  const code = await runTool('@playwright/test/cli.js', args, { env: { ...env, ...settings }, ...watchdog });
  return readPlaywrightReport(playwrightReport, code);
});
await s3?.stop();
checkSecurityProofs();
header('done');

const failedOrFlaky = outcomes.filter(({ status }) => status === 'failed' || status === 'flaky');
for (const [heading, status] of [
  ['Flaky (failed, then passed on another attempt)', 'flaky'],
  ['Failed', 'failed'],
]) {
  const found = failedOrFlaky.filter((each) => each.status === status);
  if (found.length > 0) console.log(`\n${heading}:\n${found.map(describeOutcome).join('\n')}`);
}
for (const detail of details) console.log(`\n${detail}`);
if (failedOrFlaky.length > 0) console.log(`\nRandom choices were made with FAULTS_SEED=${env.FAULTS_SEED}`);
if (missingAudit !== null)
  console.log(`\nThe advisories were not checked: the registry did not answer npm audit (${missingAudit}).`);
if (!s3)
  console.log('\nThe S3 tests did not run: there is no S3 server here, and S3_TEST_ENDPOINT names none.');
const total = countOutcomes(outcomes);
const flaky = outcomes.filter(({ status }) => status === 'flaky').length;
if (flaky > MAX_FLAKY) console.log(`\n${flaky} flaky tests: those beyond ${MAX_FLAKY} count as failed.`);
// For `npm run test:repeat`.
const seconds = Math.round((performance.now() - startedAt) / 1000);
writeFileSync(join(reports, 'summary.json'), JSON.stringify({ ...total, seconds, failedOrFlaky }));
const skipped = total.skipped > 0 ? `, ${total.skipped} skipped` : '';
console.log(`\n${total.passed} passed, ${total.failed} failed${skipped}`);
process.exit(total.failed > 0 ? 1 : 0);
