import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { format, resolveConfig } from 'prettier';

const README = join(import.meta.dirname, 'README.md');
const [BEGIN, END] = ['<!-- measured -->', '<!-- /measured -->'];

/** Replaces the text between the README's two markers. */
export async function writeReadme(measured: string): Promise<void> {
  const text = await readFile(README, 'utf8');
  const [before, rest] = text.split(BEGIN);
  const after = rest?.split(END)[1];
  if (before === undefined || after === undefined) throw new Error(`${README} has no markers`);
  const written = `${before}${BEGIN}\n\n${measured}\n\n${END}${after}`;
  await writeFile(README, await format(written, { ...(await resolveConfig(README)), filepath: README }));
}
