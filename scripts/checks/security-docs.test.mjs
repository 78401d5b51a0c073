import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { root } from '../lib/root.mjs';
import { hasRunningTest, readProofs } from './security-proofs.mjs';

const read = (path) => readFileSync(join(root, path), 'utf8');
const text = read('docs/asvs.md');
const lines = text.split('\n');
const files = [...text.matchAll(/`((?:\w[\w-]*\/)+[\w.-]+\.(?:tsx?|mjs|md))`/g)].map(([, file]) => file);

describe('docs/asvs.md', () => {
  it('names only files that exist', () => {
    expect(files.length).toBeGreaterThan(100);
    expect([...new Set(files)].filter((file) => !existsSync(join(root, file)))).toEqual([]);
  });

  it('names only test files with a test that runs', () => {
    const proofs = readProofs(text);
    expect(proofs.length).toBeGreaterThan(100);
    expect(proofs.filter((file) => !existsSync(join(root, file)) || !hasRunningTest(read(file)))).toEqual([]);
  });

  it('has a row for each requirement of levels 1 and 2', () => {
    const rows = lines.flatMap((line) => /^\| (V\d+\.\d+\.\d+) \|/.exec(line)?.[1] ?? []);
    expect(new Set(rows).size).toBe(rows.length);
    expect(rows).toHaveLength(253);
  });

  it('gives each requirement a known status and a proof or a reason', () => {
    const known = new Set(['met', 'not met, by choice', 'not applicable', 'planned']);
    const rows = lines.filter((line) => line.startsWith('| V')).map((line) => line.split(/(?<!\\)\|/));
    expect(rows.filter(([, , , status, proof]) => !known.has(status.trim()) || !proof.trim())).toEqual([]);
  });
});

describe('docs/security.md', () => {
  it('stays a page that an operator reads at once', () => {
    expect(read('docs/security.md').split('\n').length).toBeLessThanOrEqual(121);
  });
});
