import { createHash, randomUUID } from 'node:crypto';
import { link, open, readFile, readdir, readlink, rename, rm, stat, utimes } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { processStartedAt } from '../process-info.ts';
import { StartupError } from '../startup-error.ts';

export type DataFolderLock = {
  announce(address: string): Promise<void>;
  release(): Promise<void>;
};

/** What stands in a lock file. */
type Holder = {
  /** Unique to one taking of the lock. */
  id: string;
  pid: number;
  startedAt: string | null;
  since: string;
  address: string | null;
  /** The machine, its boot and its process table: where a pid means something. */
  machine: string;
  boot: string;
  pidSpace: string;
};

const HEARTBEAT_MS = 3_000;
/** A holder on another machine that has not touched its lock for so long is gone. */
const SILENCE_MS = 12_000;

/** Files of the lock, which a folder may hold without being in use. */
export function isLockFile(name: string): boolean {
  return name === 'lock' || name.startsWith('lock.');
}

/**
 * Not proper-lockfile: it names no holder, and takes a killed process's lock over only once its file is 2 s old.
 * Node has no flock, so the lock is a file that appears whole (by `link`, which fails when there is one). Taking over
 * a dead holder's file needs a claim named by that holder's id: one starter gets it, and only it may replace the file.
 */
export async function lockDataFolder(folder: string): Promise<DataFolderLock> {
  const file = join(folder, 'lock');
  const me = await describeMyself();
  await acquire(file, me, folder);
  await sweep(folder, file);
  const heartbeat = setInterval(() => void touch(file), HEARTBEAT_MS).unref();
  return {
    async announce(address) {
      me.address = address;
      await replace(file, me);
    },
    async release() {
      clearInterval(heartbeat);
      if ((await read(file))?.id === me.id) await rm(file, { force: true });
    },
  };
}

/** Replaces a file whose holder is dead. @throws StartupError when the holder, or whoever claimed its place, lives. */
async function takeOver(file: string, me: Holder, folder: string): Promise<void> {
  const holder = await read(file);
  if (!holder) return acquire(file, me, folder);
  if (await isAlive(file, holder)) throw inUse(folder, holder);
  const claim = join(folder, `lock.${holder.id}`);
  if (!(await create(claim, me))) await takeOver(claim, me, folder);
  try {
    // Whoever was slow to get here finds the place taken meanwhile.
    if ((await read(file))?.id !== holder.id) return await acquire(file, me, folder);
    await replace(file, me);
  } finally {
    await rm(claim, { force: true });
  }
}

async function acquire(file: string, me: Holder, folder: string): Promise<void> {
  if (!(await create(file, me))) await takeOver(file, me, folder);
}

/** Removes what starters left that were killed within their few milliseconds of taking the lock. */
async function sweep(folder: string, file: string): Promise<void> {
  const now = (await modifiedAt(file)) ?? 0;
  for (const name of await readdir(folder)) {
    const left = join(folder, name);
    if (name.startsWith('lock.') && now - ((await modifiedAt(left)) ?? now) > 60_000)
      await rm(left, { force: true });
  }
}

async function isAlive(file: string, holder: Holder): Promise<boolean> {
  const here = await describeMyself();
  if (holder.machine === here.machine && holder.boot !== here.boot) return false;
  if (holder.machine === here.machine && holder.pidSpace === here.pidSpace) {
    const startedAt = await processStartedAt(holder.pid);
    return startedAt !== null && startedAt === holder.startedAt;
  }
  return isTouched(file);
}

/** Watches the file instead of comparing clocks, which differ between machines. */
async function isTouched(file: string): Promise<boolean> {
  const before = await modifiedAt(file);
  for (let waited = 0; waited < SILENCE_MS; waited += 250) {
    await delay(250);
    if ((await modifiedAt(file)) !== before) return true;
  }
  return false;
}

async function modifiedAt(file: string): Promise<number | null> {
  return stat(file).then(
    ({ mtimeMs }) => mtimeMs,
    () => null,
  );
}

async function touch(file: string): Promise<void> {
  const now = new Date();
  await utimes(file, now, now).catch(() => undefined);
}

function inUse(folder: string, holder: Holder): StartupError {
  const where = holder.machine.startsWith(`${hostname()} `) ? '' : ` on ${holder.machine.split(' ')[0]}`;
  const address = holder.address ? `, serving ${holder.address}` : '';
  return new StartupError(
    `The data folder ${folder} is in use by process ${holder.pid}${where}, since ${holder.since}${address}.\n` +
      'Stop that one first, or give this one a folder of its own with DATA_DIR.',
  );
}

/** False when the file is there already. It appears with its whole content or not at all. */
async function create(file: string, holder: Holder): Promise<boolean> {
  const draft = await writeDraft(file, holder);
  try {
    await link(draft, file);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  } finally {
    await rm(draft, { force: true });
  }
}

async function replace(file: string, holder: Holder): Promise<void> {
  await rename(await writeDraft(file, holder), file);
}

async function writeDraft(file: string, holder: Holder): Promise<string> {
  const draft = `${file}.draft-${randomUUID()}`;
  const handle = await open(draft, 'wx', 0o600);
  try {
    await handle.writeFile(`${JSON.stringify(holder, null, 2)}\n`);
    await handle.sync();
  } finally {
    await handle.close();
  }
  return draft;
}

/** Null when there is no such file. One that cannot be read (a torn write) has a holder that nobody knows. */
async function read(file: string): Promise<Holder | null> {
  const content = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
  if (content === null) return null;
  try {
    return JSON.parse(content) as Holder;
  } catch {
    const id = createHash('sha256').update(content).digest('hex').slice(0, 16);
    const unknown = { startedAt: null, address: null, machine: 'unknown', boot: '', pidSpace: '' };
    return { id, pid: 0, since: 'an unknown time', ...unknown };
  }
}

async function describeMyself(): Promise<Holder> {
  const [startedAt, machineId, boot, pidSpace] = await Promise.all([
    processStartedAt(process.pid),
    readFile('/etc/machine-id', 'utf8').catch(() => ''),
    readFile('/proc/sys/kernel/random/boot_id', 'utf8').catch(() => ''),
    readlink('/proc/self/ns/pid').catch(() => ''),
  ]);
  return {
    id: randomUUID(),
    pid: process.pid,
    startedAt,
    since: new Date().toISOString(),
    address: null,
    machine: `${hostname()} ${machineId.trim()}`,
    boot: boot.trim(),
    pidSpace,
  };
}
