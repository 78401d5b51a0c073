import { execFile } from 'node:child_process';
import { readFile, readlink } from 'node:fs/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);
const isLinux = process.platform === 'linux';

/** Distinguishes processes that reuse a pid. Null if there is no such process. */
export async function processStartedAt(pid: number): Promise<string | null> {
  if (!Number.isInteger(pid) || pid <= 0 || !exists(pid)) return null;
  if (!isLinux) return ps(pid, 'lstart=');
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  // The name (second field) may contain spaces and brackets.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [state, ticks] = [fields[0], fields[19]];
  return ticks && state !== 'Z' && state !== 'X' ? ticks : null;
}

/** The command line, joined by spaces. Null if there is no such process. */
export async function processCommand(pid: number): Promise<string | null> {
  if (!isLinux) return ps(pid, 'command=');
  const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
  return command.replaceAll('\0', ' ').trim() || null;
}

/** The working directory (Linux only). It follows a rename of the folder. */
export async function processWorkingFolder(pid: number): Promise<string | null> {
  return isLinux ? readlink(`/proc/${pid}/cwd`).catch(() => null) : null;
}

function exists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

async function ps(pid: number, column: string): Promise<string | null> {
  const { stdout } = await run('ps', ['-o', column, '-p', String(pid)]).catch(() => ({ stdout: '' }));
  return stdout.trim() || null;
}
