import { createHash, randomUUID } from 'node:crypto';
import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';

/**
 * A lock of processes that may be killed. Node has no flock, so the lock is a file created by `link`, which fails if it
 * exists. To replace a dead holder's file, a process must first create a claim file named by that holder's id.
 * Not proper-lockfile: it names no holder, and takes over a killed process's lock only after 2 s. Plain JavaScript,
 * because the scripts use it before any package is installed.
 */
export async function acquireLock(file, me, { isAlive, onHeld }) {
  while (!createLockFile(file, me)) {
    const holder = readLock(file);
    if (!holder) continue;
    // A network drive repeated `link` after its first reply was lost.
    if (holder.id === me.id) return;
    if (await isAlive(holder, file)) await onHeld(holder);
    else if (await takeOver(file, holder, me, { isAlive, onHeld })) return;
  }
}

async function takeOver(file, holder, me, options) {
  const claim = `${file}.${holder.id}`;
  await acquireLock(claim, me, options);
  try {
    // Another process may have taken over before this one had the claim.
    if (readLock(file)?.id !== holder.id) return false;
    replaceLock(file, me);
    return true;
  } finally {
    releaseLock(claim, me);
  }
}

export function replaceLock(file, me) {
  renameSync(writeDraft(file, me), file);
}

export function releaseLock(file, me) {
  if (readLock(file)?.id === me.id) rmSync(file, { force: true });
}

/** Atomic. False if the file exists. */
function createLockFile(file, me) {
  const draft = writeDraft(file, me);
  try {
    linkSync(draft, file);
    return true;
  } catch (error) {
    if (error.code === 'EEXIST') return false;
    throw error;
  } finally {
    rmSync(draft, { force: true });
  }
}

function writeDraft(file, me) {
  const draft = `${file}.draft-${randomUUID()}`;
  writeFileSync(draft, `${JSON.stringify(me, null, 2)}\n`, { flag: 'wx', flush: true });
  return draft;
}

/** Null if the file does not exist; a holder with nothing but an id after a torn write. */
function readLock(file) {
  let content;
  try {
    content = readFileSync(file, 'utf8');
    const holder = JSON.parse(content);
    if (typeof holder?.id === 'string') return holder;
  } catch (error) {
    if (error.code === 'ENOENT') return null;
    if (content === undefined) throw error;
  }
  return { id: createHash('sha256').update(content).digest('hex').slice(0, 16) };
}
