// npm test: everything that can be checked, set-up included. Each part runs, whatever became of those before it;
// the last line counts them all.
import { requireNode } from './lib/node-version.mjs';

requireNode();
const { mkdirSync, rmSync } = await import('node:fs');
const { join } = await import('node:path');
const { cleanEnvironment } = await import('./lib/clean-environment.mjs');
const { root } = await import('./lib/root.mjs');
const { readPlaywrightReport, readVitestReport } = await import('./lib/test-reports.mjs');
const { ensurePackages } = await import('./lib/packages.mjs');
const { ensureBuilt } = await import('./lib/build-steps.mjs');
const { orEnd, runTool } = await import('./lib/run.mjs');
const { provideS3 } = await import('./lib/s3-server.mjs');

const PART_MS = 20 * 60_000;
const reports = join(root, '.cache', 'test-reports');
const total = { passed: 0, failed: 0, skipped: 0 };
const failures = [];
/** What is told again at the end, for whoever sees no more than that. */
const details = [];

function count(what, { passed, failed, skipped, details: more = [] }) {
  total.passed += passed;
  total.failed += failed;
  total.skipped += skipped;
  if (failed > 0) failures.push(what);
  details.push(...more);
}

/** A part that passes or fails as a whole. */
async function check(what, action) {
  console.log(`\n— ${what}`);
  const isGood = await action().catch((error) => {
    console.error(error.message);
    return false;
  });
  count(what, { passed: isGood ? 1 : 0, failed: isGood ? 0 : 1, skipped: 0 });
}

/** A check by one of our tools. Others run beside it, so what it has to say comes at its end, all at once. */
async function checkBy(what, path, ...args) {
  const { code, output } = await runTool(path, args, { ...options, capture: true });
  await check(what, async () => {
    process.stdout.write(output);
    return code === 0;
  });
}

const options = { env: cleanEnvironment(), timeoutMs: PART_MS };

async function checkTheRest() {
  await checkBy('types', 'typescript/bin/tsc', '-b');
  await checkBy('format', 'prettier/bin/prettier.cjs', '--check', '--log-level=warn', '.');
  const rules = ['--config', '.dependency-cruiser.cjs', 'client', 'server', 'shared', 'bench'];
  await checkBy('import rules', 'dependency-cruiser/bin/dependency-cruise.mjs', ...rules);
}

async function unitAndIntegration() {
  console.log('\n— unit and integration tests');
  const file = join(reports, 'vitest.json');
  const args = ['run', '--reporter=default', '--reporter=json', `--outputFile.json=${file}`];
  const code = await runTool('vitest/vitest.mjs', args, options);
  count('unit and integration tests', readVitestReport(file, code));
}

async function endToEnd(chromiumPath) {
  console.log('\n— end-to-end tests');
  const file = join(reports, 'playwright.json');
  const env = { ...options.env, CHROMIUM_PATH: chromiumPath, PLAYWRIGHT_JSON_OUTPUT_FILE: file };
  const code = await runTool('@playwright/test/cli.js', ['test'], {
    ...options,
    env,
  });
  count('end-to-end tests', readPlaywrightReport(file, code));
}

await orEnd(ensurePackages());
const { provideBrowser } = await import('./browser.mjs');
rmSync(reports, { recursive: true, force: true });
mkdirSync(reports, { recursive: true });
// Before everything else: who has no browser is told so at once.
const chromiumPath = await orEnd(provideBrowser());
const s3 = await provideS3();
Object.assign(options.env, s3?.env);

// The linter reads all types by itself, and takes as long as the others together.
console.log('\nChecking the sources…');
await Promise.all([checkBy('lint', 'eslint/bin/eslint.js', '.'), checkTheRest()]);
await check('build', () => ensureBuilt().then(() => true));
await unitAndIntegration();
await endToEnd(chromiumPath);
await s3?.stop();

for (const detail of details) console.log(`\n${detail}`);
if (failures.length > 0) console.log(`\nNot good: ${failures.join(', ')}`);
if (!s3)
  console.log('\nThe S3 tests did not run: there is no S3 server here, and S3_TEST_ENDPOINT names none.');
const skipped = total.skipped > 0 ? `, ${total.skipped} skipped` : '';
console.log(`\n${total.passed} passed, ${total.failed} failed${skipped}`);
process.exit(total.failed > 0 ? 1 : 0);
