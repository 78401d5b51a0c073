import { readdir, readFile } from 'node:fs/promises';

/** In MB. */
export type TreeMemory = { app: number; withPostgres: number };

/** The proportional set size of a process and all that descend from it. Linux only. */
export async function readTreeMemory(root: number): Promise<TreeMemory> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number);
  const processes = (await Promise.all(pids.map(readProcess))).filter((each) => each !== null);
  const tree = new Set([root]);
  for (let size = 0; size < tree.size;) {
    size = tree.size;
    for (const { pid, parent } of processes) if (tree.has(parent)) tree.add(pid);
  }
  const memory = { app: 0, withPostgres: 0 };
  for (const { pid, name } of processes.filter((each) => tree.has(each.pid))) {
    const megabytes = await readPss(pid);
    memory.withPostgres += megabytes;
    if (name !== 'postgres') memory.app += megabytes;
  }
  return memory;
}

/** Null if it has ended. */
async function readProcess(pid: number): Promise<{ pid: number; parent: number; name: string } | null> {
  const stat = await readFile(`/proc/${pid}/stat`, 'latin1').catch(() => '');
  // The name is in parentheses and may contain any character.
  const [, name, parent] = /^\d+ \((.*)\) \S (\d+)/s.exec(stat) ?? [];
  return name === undefined ? null : { pid, parent: Number(parent), name };
}

async function readPss(pid: number): Promise<number> {
  const rollup = await readFile(`/proc/${pid}/smaps_rollup`, 'latin1').catch(() => '');
  return (Number(/^Pss: +(\d+) kB$/m.exec(rollup)?.[1] ?? 0) * 1024) / 1e6;
}
