// npm run test:faults: kills the app, backups, restores and moves to a newer Postgres, and stops Postgres, at many random
// moments under load. Writes docs/faults.md.
// --kills N of the app (600), --command-kills N of a backup and of a restore (200), --lanes N (2), --stops N (20) of Postgres and of a move, --seed N
import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import { requireNode } from '../lib/node-version.mjs';

requireNode();
const { mkdirSync, existsSync, readFileSync, rmSync, writeFileSync } = await import('node:fs');
const { join } = await import('node:path');
const { cleanEnvironment } = await import('../lib/clean-environment.mjs');
const { renderFaults } = await import('./render-faults.mjs');
const { ensurePackages } = await import('../lib/packages.mjs');
const { root } = await import('../lib/root.mjs');
const { orEnd, runTool } = await import('../lib/run.mjs');

const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '600' },
    'command-kills': { type: 'string', default: '200' },
    lanes: { type: 'string', default: '2' },
    stops: { type: 'string', default: '20' },
    seed: { type: 'string', default: String(randomInt(10 ** 9)) },
  },
});
await orEnd(ensurePackages());
const folder = join(root, '.cache', 'faults');
const results = join(folder, 'rounds.jsonl');
mkdirSync(folder, { recursive: true });
rmSync(results, { force: true });
const env = {
  ...cleanEnvironment(),
  FAULTS_KILLS: values.kills,
  FAULTS_COMMAND_KILLS: values['command-kills'],
  FAULTS_LANES: values.lanes,
  FAULTS_STOPS: values.stops,
  FAULTS_SEED: values.seed,
  FAULTS_LONG: 'true',
  FAULTS_RESULTS: results,
};
console.log(`FAULTS_SEED=${values.seed}`);
const startedAt = performance.now();
const tests = [
  'server/testing/faults',
  'server/app/upgrade-postgres.test.ts',
  'server/app/database-restart.test.ts',
  'server/platform/job-queue/pg-boss-job-queue.test.ts',
  'server/features/inbound-email/receiving/email-process-kills.test.ts',
  'server/features/backups/backup-under-load.test.ts',
  'server/features/backups/restore/restore-backup.test.ts',
];
const code = await runTool('vitest/vitest.mjs', ['run', ...tests], { env });
const rounds = existsSync(results)
  ? readFileSync(results, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
  : [];
const minutes = Math.round((performance.now() - startedAt) / 60_000);
const report = renderFaults(rounds, { ...values, minutes, hasPassed: code === 0, date: new Date() });
const file = join(root, 'docs', 'faults.md');
const { format, resolveConfig } = await import('prettier');
const text = await format(report, { ...(await resolveConfig(file)), filepath: file });
writeFileSync(file, text);
console.log(`\n${text}`);
process.exit(code);
