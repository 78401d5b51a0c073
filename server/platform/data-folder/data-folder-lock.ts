import { randomUUID } from 'node:crypto';
import { readFile, readdir, readlink, rm, stat, utimes } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { acquireLock, releaseLock, replaceLock } from '../../../scripts/lib/lock-file.mjs';
import { processStartedAt } from '../process/process-info.ts';
import { StartupError } from '../process/startup-error.ts';

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

/** After a torn write. */
const UNKNOWN: Omit<Holder, 'id'> = {
  pid: 0,
  startedAt: null,
  since: 'an unknown time',
  address: null,
  machine: 'unknown',
  boot: '',
  pidSpace: '',
};

type Wait = (ms: number) => Promise<void>;

const HEARTBEAT_MS = 3_000;
/** After this time without a heartbeat, a holder on another machine counts as dead. */
const HEARTBEAT_TIMEOUT_MS = 12_000;

export function isLockFile(name: string): boolean {
  return name === 'lock' || name.startsWith('lock.');
}

export async function lockDataFolder(folder: string, wait: Wait = delay) {
  const file = join(folder, 'lock');
  const me = await describeMyself();
  await acquireLock(file, me, {
    isAlive: (holder, heldFile) => isAlive(heldFile, { ...UNKNOWN, ...holder }, wait),
    onHeld: (holder) => {
      throw inUse(folder, { ...UNKNOWN, ...holder });
    },
  });
  await sweep(folder, file);
  const heartbeat = setInterval(() => void touch(file), HEARTBEAT_MS).unref();
  return {
    announce(address: string): void {
      me.address = address;
      replaceLock(file, me);
    },
    release(): void {
      clearInterval(heartbeat);
      releaseLock(file, me);
    },
  };
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
