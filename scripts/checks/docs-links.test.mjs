import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { root } from '../lib/root.mjs';

const markdownIn = (folder) =>
  readdirSync(join(root, folder))
    .filter((name) => name.endsWith('.md'))
    .map((name) => join(folder, name));
const documents = ['', 'docs', 'docs/decisions', 'docs/setup', 'e2e', 'bench'].flatMap(markdownIn);

it('documents link only to files and folders that exist', () => {
  expect(documents).toContain('CONTRIBUTING.md');
  const missing = documents.flatMap((document) => {
    const links = readFileSync(join(root, document), 'utf8').matchAll(/\]\(([^)\s#]+)[^)]*\)/g);
    return [...links]
      .map(([, link]) => link)
      .filter((link) => !/^[a-z]+:/.test(link) && !existsSync(join(root, dirname(document), link)))
      .map((link) => `${document}: ${link}`);
  });
  expect(missing).toEqual([]);
});
