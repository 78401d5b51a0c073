import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { root } from './lib/root.mjs';
import { readProofs } from './lib/security-proofs.mjs';

const text = readFileSync(join(root, 'docs/security.md'), 'utf8');
const lines = text.split('\n');
const files = [...text.matchAll(/`((?:\w[\w-]*\/)+[\w.-]+\.(?:tsx?|mjs|md))`/g)].map(([, file]) => file);

const titles = readProofs(text);

describe('docs/security.md', () => {
  it('names only files that exist', () => {
    expect(files.length).toBeGreaterThan(100);
    expect([...new Set(files)].filter((file) => !existsSync(join(root, file)))).toEqual([]);
  });

  it('names only tests that exist', () => {
    expect(titles.length).toBeGreaterThan(100);
    const missing = titles.filter(
      ({ file, title }) => !readFileSync(join(root, file), 'utf8').includes(title),
    );
    expect(missing).toEqual([]);
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
