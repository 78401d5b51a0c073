import { readFileSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { root } from './root.mjs';
import { StepError } from './run.mjs';

/** Where the app says that it is, in the lock of its data folder. */
export function runningAt() {
  const { DATA_DIR = './data', PORT = '5000' } = process.env;
  try {
    const { address } = JSON.parse(readFileSync(join(resolve(root, DATA_DIR), 'lock'), 'utf8'));
    if (address) return address;
  } catch {
    // None runs over this folder, or it keeps its data elsewhere.
  }
  return `http://localhost:${PORT}`;
}

export async function post(url, body) {
  try {
    return await fetch(url, { method: 'POST', headers: { Accept: 'application/json' }, body });
  } catch {
    throw new StepError(`No app answers at ${url.origin}. Start it with npm start, or name it with --at.`);
  }
}

export function readPhoto(file) {
  try {
    if (!statSync(file).isFile()) throw new StepError(`${file} is not a file.`);
    return new Blob([readFileSync(file)]);
  } catch (error) {
    if (error instanceof StepError) throw error;
    throw new StepError(error.code === 'ENOENT' ? `There is no file ${file}` : error.message);
  }
}
