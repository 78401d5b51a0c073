import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../lib/root.mjs';

/** @returns {string[]} the test files that docs/asvs.md names, each once */
export function readProofs(text = readFileSync(join(root, 'docs/asvs.md'), 'utf8')) {
  const files = text.matchAll(/`((?:[\w-]+\/)+[\w.-]+\.(?:test\.tsx?|spec\.ts|test\.mjs))`/g);
  return [...new Set([...files].map(([, file]) => file))];
}

/** @returns {boolean} whether a test file has a test that is neither a comment nor skipped everywhere */
export function hasRunningTest(source) {
  return /^\s*(?:it|test)(?:\.(?!skip\b|todo\b|fixme\b|describe\b)\w+)*\b[(`]/m.test(source);
}

/**
 * @param {string[]} files
 * @param {import('../test-runs/test-reports.mjs').Outcome[]} outcomes of a whole run
 * @returns {{ unproved: string[], skipped: string[] }} `unproved`: a test of the file failed, or none ran
 */
export function checkProofs(files, outcomes) {
  const statusesOf = (file) => outcomes.filter((each) => isOf(file, each.title)).map((each) => each.status);
  const unproved = files.filter((file) => {
    const statuses = statusesOf(file);
    return statuses.length === 0 || statuses.includes('failed');
  });
  const skipped = files.filter((file) => {
    const statuses = statusesOf(file);
    return statuses.length > 0 && statuses.every((status) => status === 'skipped');
  });
  return { unproved, skipped };
}

/** Playwright's titles begin with the path below e2e. */
function isOf(file, outcomeTitle) {
  const path = file.endsWith('.spec.ts') ? file.replace(/^e2e\//, '') : file;
  return outcomeTitle === path || outcomeTitle.startsWith(`${path} › `);
}
