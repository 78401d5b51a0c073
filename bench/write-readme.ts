import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { format, resolveConfig } from 'prettier';

const README = join(import.meta.dirname, 'README.md');
/** Replaces the text between the README's two markers with this name. */
export async function writeReadme(name: 'measured' | 'rows' | 'web', measured: string): Promise<void> {
  const [begin, end] = [`<!-- ${name} -->`, `<!-- /${name} -->`];
  const text = await readFile(README, 'utf8');
  const [before, rest] = text.split(begin);
  const after = rest?.split(end)[1];
  if (before === undefined || after === undefined) throw new Error(`${README} has no markers ${name}`);
  const written = `${before}${begin}\n\n${measured}\n\n${end}${after}`;
  await writeFile(README, await format(written, { ...(await resolveConfig(README)), filepath: README }));
}
