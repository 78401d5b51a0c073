// npm run test:repeat -- N: runs all tests N times, and appends to docs/test-runs.md which tests ever failed on their first attempt.
// --busy N: beside N endless loops. --retry: as `npm test` does; without it nothing is repeated.
import { spawn } from 'node:child_process';
import { parseArgs } from 'node:util';
import { requireNode } from '../lib/node-version.mjs';

requireNode();
const { appendFileSync, existsSync, readFileSync, rmSync } = await import('node:fs');
const { join } = await import('node:path');
const { renderTestRuns } = await import('./render-test-runs.mjs');
const { root } = await import('../lib/root.mjs');
const { run } = await import('../lib/run.mjs');

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { busy: { type: 'string', default: '0' }, retry: { type: 'boolean', default: false } },
});
const [count, busy] = [Number(positionals[0] ?? 1), Number(values.busy)];
if (!(count >= 1) || !(busy >= 0)) {
  console.error('Usage: npm run test:repeat -- 5 [--busy 4] [--retry]');
  process.exit(2);
}

/** Ends with this process, however that ends. */
const LOOP = 'for (const parent = process.ppid; process.ppid === parent; );';
const loops = Array.from({ length: busy }, () => spawn(process.execPath, ['-e', LOOP], { stdio: 'ignore' }));
process.on('exit', () => loops.forEach((loop) => loop.kill()));

const { output } = await run('git', ['describe', '--always', '--dirty'], { capture: true });
const summary = join(root, '.cache', 'test-reports', 'summary.json');
const UNFINISHED = {
  passed: 0,
  failed: 1,
  skipped: 0,
  seconds: 0,
  failedOrFlaky: [{ title: 'the run did not finish' }],
};
const runs = [];
let hasFailed = false;
for (let index = 1; index <= count; index++) {
  console.log(`\nRun ${index} of ${count}`);
  rmSync(summary, { force: true });
  const code = await run(process.execPath, [
    'scripts/test-runs/test.mjs',
    ...(values.retry ? [] : ['--strict']),
  ]);
  hasFailed ||= code !== 0;
  runs.push(existsSync(summary) ? JSON.parse(readFileSync(summary, 'utf8')) : UNFINISHED);
}
const about = {
  commit: output.trim(),
  date: new Date().toISOString().slice(0, 10),
  busy,
  isStrict: !values.retry,
};
const text = renderTestRuns(about, runs);
appendFileSync(join(root, 'docs', 'test-runs.md'), `\n${text}`);
console.log(`\n${text}`);
process.exit(hasFailed ? 1 : 0);
