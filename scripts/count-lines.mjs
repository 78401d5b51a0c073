// Counts files and lines, of a revision if one is given: node scripts/count-lines.mjs main
import { execFileSync } from 'node:child_process';
import { countByKind } from './lib/count-lines.mjs';
import { root } from './lib/root.mjs';

const counts = execFileSync('git', ['grep', '--count', '', ...process.argv.slice(2), '--', ':/'], {
  cwd: root,
  encoding: 'utf8',
  maxBuffer: 2 ** 26,
});
console.table(countByKind(counts.trim().split('\n')));
