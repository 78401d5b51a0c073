import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './root.mjs';

/** A test that docs/security.md names; `%s` in the title of a table of tests. @typedef {{ file: string, title: string }} Proof */

/** @returns {Proof[]} each file with the quoted titles that follow it */
export function readProofs(text = readFileSync(join(root, 'docs/security.md'), 'utf8')) {
  return text
    .split('\n')
    .flatMap((line) => [...line.matchAll(/`([^`]+\.(?:test\.tsx?|spec\.ts|test\.mjs))`((?:,? "[^"]+")*)/g)])
    .flatMap(([, file, quoted]) => [...quoted.matchAll(/"([^"]+)"/g)].map(([, title]) => ({ file, title })));
}

/**
 * @param {Proof[]} proofs
 * @param {import('./test-reports.mjs').Outcome[]} outcomes of a whole run
 * @returns {{ unproved: Proof[], skipped: Proof[] }} `unproved`: failed, or not run at all
 */
export function checkProofs(proofs, outcomes) {
  const withoutStatus = (statuses) =>
    proofs.filter((proof) => !outcomes.some((each) => statuses.has(each.status) && isOf(proof, each.title)));
  const unproved = withoutStatus(new Set(['passed', 'flaky', 'skipped']));
  const notPassed = withoutStatus(new Set(['passed', 'flaky']));
  return { unproved, skipped: notPassed.filter((proof) => !unproved.includes(proof)) };
}

/** Playwright's titles begin with the path below e2e. */
function isOf({ file, title }, outcomeTitle) {
  const path = file.endsWith('.spec.ts') ? file.replace(/^e2e\//, '') : file;
  if (!outcomeTitle.startsWith(`${path} › `)) return false;
  const pattern = title
    .split(/%[sdijo]|\$[\w.]+/)
    .map(RegExp.escape ?? ((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')))
    .join('.*');
  return new RegExp(pattern, 's').test(outcomeTitle);
}
