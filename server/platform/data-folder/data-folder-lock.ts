import { createHash, randomUUID } from 'node:crypto';
import { link, readFile, readdir, readlink, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { processStartedAt } from '../process-info.ts';
import { StartupError } from '../startup-error.ts';

/** The content of a lock file. */
type Holder = {
  /** Random for each acquisition. */
  id: string;
  pid: number;
  startedAt: string | null;
  since: string;
  address: string | null;
  /** A pid is unique within a machine, its boot and its pid namespace. */
  machine: string;
  boot: string;
  pidSpace: string;
};

type Wait = (ms: number) => Promise<void>;
type Options = { folder: string; wait: Wait };

const HEARTBEAT_MS = 3_000;
/** After this time without a heartbeat, a holder on another machine counts as dead. */
const HEARTBEAT_TIMEOUT_MS = 12_000;

export function isLockFile(name: string): boolean {
  return name === 'lock' || name.startsWith('lock.');
}

/**
 * Not proper-lockfile: it names no holder, and takes over a killed process's lock only after 2 s. Node has no flock, so
 * the lock is a file created by `link`, which fails if it exists. To replace a dead holder's file, a process must first
 * create a claim file named by that holder's id.
 */
export async function lockDataFolder(folder: string, wait: Wait = delay) {
  const file = join(folder, 'lock');
  const me = await describeMyself();
  await acquire(file, me, { folder, wait });
  await sweep(folder, file);
  const heartbeat = setInterval(() => void touch(file), HEARTBEAT_MS).unref();
  return {
    async announce(address: string) {
      me.address = address;
      await replace(file, me);
    },
    async release() {
      clearInterval(heartbeat);
      if ((await read(file))?.id === me.id) await rm(file, { force: true });
    },
  };
}

/** Replaces the file of a dead holder. @throws StartupError if the holder, or a process with a claim, is alive */
async function takeOver(file: string, me: Holder, options: Options): Promise<void> {
  const { folder, wait } = options;
  const holder = await read(file);
  if (!holder) return acquire(file, me, options);
  if (await isAlive(file, holder, wait)) throw inUse(folder, holder);
  const claim = join(folder, `lock.${holder.id}`);
  if (!(await create(claim, me))) await takeOver(claim, me, options);
  try {
    // Another process may have taken over before this one had the claim.
    if ((await read(file))?.id !== holder.id) return await acquire(file, me, options);
    await replace(file, me);
  } finally {
    await rm(claim, { force: true });
  }
}

async function acquire(file: string, me: Holder, options: Options): Promise<void> {
  if (!(await create(file, me))) await takeOver(file, me, options);
}

/** Removes drafts and claims of processes that were killed while acquiring the lock. */
async function sweep(folder: string, file: string): Promise<void> {
  const now = (await modifiedAt(file)) ?? 0;
  for (const name of await readdir(folder)) {
    const left = join(folder, name);
    if (name.startsWith('lock.') && now - ((await modifiedAt(left)) ?? now) > 60_000)
      await rm(left, { force: true });
  }
}

async function isAlive(file: string, holder: Holder, wait: Wait): Promise<boolean> {
  const here = await describeMyself();
  if (holder.machine === here.machine && holder.boot !== here.boot) return false;
  if (holder.machine === here.machine && holder.pidSpace === here.pidSpace) {
    const startedAt = await processStartedAt(holder.pid);
    return startedAt !== null && startedAt === holder.startedAt;
  }
  return isTouched(file, wait);
}

/** Waits for a heartbeat instead of comparing clocks, which differ between machines. */
async function isTouched(file: string, wait: Wait): Promise<boolean> {
  const before = await modifiedAt(file);
  for (let waited = 0; waited < HEARTBEAT_TIMEOUT_MS; waited += 250) {
    await wait(250);
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

/** Atomic. False if the file exists. */
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
  await writeFile(draft, `${JSON.stringify(holder, null, 2)}\n`, { flag: 'wx', mode: 0o600, flush: true });
  return draft;
}

/** Null if the file does not exist; an unknown holder if it is not JSON (a torn write). */
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
