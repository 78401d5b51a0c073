import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { root } from '../lib/root.mjs';

const text = readFileSync(join(root, 'docs/ARCHITECTURE.md'), 'utf8');
const files = ['client', 'server', 'shared', 'e2e', 'bench', 'scripts'].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true }).map((file) => `${folder}/${file}`),
);
const names = new Set(files.map((file) => basename(file).replace(/\.(tsx?|mjs)$/, '')));

describe('docs/ARCHITECTURE.md', () => {
  it('names only files and folders that exist', () => {
    const flows = text.slice(text.indexOf('## Flows'), text.indexOf('## Habits'));
    const mentioned = [...flows.matchAll(/`([a-z]+(?:-[a-z]+)+|[\w/]+\/[\w/]*)`/g)].map(([, name]) => name);
    expect(mentioned.length).toBeGreaterThan(20);
    const missing = mentioned.filter(
      (name) =>
        !name.startsWith('/') &&
        !names.has(name) &&
        !files.some((file) => `/${file}/`.includes(`/${name.replace(/\/$/, '')}/`)),
    );
    expect(missing).toEqual([]);
  });

  it('stays under 900 words', () => {
    expect(text.split(/\s+/).length).toBeLessThan(900);
  });
});
