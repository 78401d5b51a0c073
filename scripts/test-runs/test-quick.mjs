// npm run test:quick: what to run before each commit: types, lint of the changed files, the tests related to them, twelve
// journeys in the browser. Without uncommitted changes it checks the last commit.
import { requireNode } from '../lib/node-version.mjs';

requireNode();
const { existsSync, readFileSync } = await import('node:fs');
const { join } = await import('node:path');
const { provideBrowser } = await import('../lib/browser.mjs');
const { cleanEnvironment } = await import('../lib/clean-environment.mjs');
const { ensurePackages } = await import('../lib/packages.mjs');
const { ensureBuilt } = await import('../lib/build-steps.mjs');
const { nearestTests } = await import('./related-tests.mjs');
const { root } = await import('../lib/root.mjs');
const { orEnd, run, runTool } = await import('../lib/run.mjs');

/** More would take longer than two minutes; `npm test` runs them. */
const MAX_TEST_FILES = 12;
const VITEST = 'vitest/vitest.mjs';
const env = cleanEnvironment();
const startedAt = performance.now();
const failed = [];

/** @returns the lines of the output; none if it failed */
async function readLines(running) {
  const { code, output } = await running;
  return code === 0 ? output.split('\n').filter(Boolean) : [];
}
const git = (...args) => readLines(run('git', ['-c', 'core.quotePath=false', ...args], { capture: true }));

async function check(title, path, ...args) {
  const { code, output } = await runTool(path, args, { env, capture: true });
  if (code === 0) return console.log(`✓ ${title}`);
  failed.push(title);
  console.log(`✗ ${title}\n${output}`);
}

async function runTests(title, path, args, settings = {}) {
  console.log(`\n— ${title}`);
  const code = await runTool(path, args, { env: { ...env, ...settings } });
  if (code !== 0) failed.push(title);
}

async function runRelatedTests(since) {
  const list = runTool(VITEST, ['list', '--filesOnly', '--changed', since], { env, capture: true });
  const { code, output } = await list;
  if (code !== 0) {
    failed.push('list of related tests');
    return console.log(output);
  }
  const tests = [...output.matchAll(/^\[\w+\] (.+)$/gm)].map(([, file]) => file);
  const long = JSON.parse(readFileSync(join(root, 'server/testing/vitest/longest-tests.json'), 'utf8'));
  const nearest = nearestTests(tests, files, MAX_TEST_FILES, long);
  const title = `related tests (${nearest.length} of ${tests.length} files)`;
  if (nearest.length > 0) await runTests(title, VITEST, ['run', '--reporter=dot', ...nearest]);
}

await orEnd(ensurePackages());
const uncommitted = [
  ...(await git('diff', '--name-only', 'HEAD')),
  ...(await git('ls-files', '--others', '--exclude-standard')),
];
const [parent] = await git('rev-parse', '--verify', '--quiet', 'HEAD~1');
const since = uncommitted.length > 0 || !parent ? 'HEAD' : parent;
const changed = uncommitted.length > 0 ? uncommitted : await git('diff', '--name-only', since, 'HEAD');
const files = changed.filter((file) => existsSync(join(root, file)));
const sources = files.filter((file) => /\.(ts|tsx|js|mjs|cjs)$/.test(file));

const checks = Promise.all([
  check('types', 'typescript-7/bin/tsc', '-b'),
  sources.length > 0 && check('lint', 'eslint/bin/eslint.js', '--no-warn-ignored', ...sources),
  files.length > 0 && check('format', 'prettier/bin/prettier.cjs', '--check', '--ignore-unknown', ...files),
]);
const CHROMIUM_PATH = await orEnd(provideBrowser());
await orEnd(ensureBuilt());
await checks;
await runRelatedTests(since);
const journeys = ['test', '--grep', '@quick', '--project', 'journeys', '--reporter=dot'];
await runTests('journeys', '@playwright/test/cli.js', journeys, { CHROMIUM_PATH });

const seconds = Math.round((performance.now() - startedAt) / 1000);
console.log(
  `\n${failed.length > 0 ? `Not good: ${failed.join(', ')}` : 'All good'} after ${seconds} seconds.`,
);
process.exit(failed.length > 0 ? 1 : 0);
