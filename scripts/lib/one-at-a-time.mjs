import { randomUUID } from 'node:crypto';
import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { root } from './root.mjs';
import { StepError } from './run.mjs';

const folder = join(root, '.cache');

/** Only one process may install or build here. A child joins the lock by `addChild`: it may outlive us if we are killed. */
export async function oneAtATime(action) {
  const me = { id: randomUUID(), pids: [describe(process.pid)] };
  const file = join(folder, 'setup.lock');
  makeFolder();
  await acquire(file, me);
  const addChild = (pid) => {
    me.pids.push(describe(pid));
    renameSync(writeDraft(file, me), file);
  };
  try {
    return await action(addChild);
  } finally {
    release(file, me);
  }
}

function makeFolder() {
  try {
    mkdirSync(folder, { recursive: true });
  } catch (error) {
    throw new StepError(
      `${root} needs installing or building, and this user may not write there (${error.code}).`,
    );
  }
}

async function acquire(file, me) {
  let said = false;
  for (;;) {
    if (create(file, me)) return;
    const holder = read(file);
    if (holder && isAlive(holder)) {
      if (!said)
        console.log(`Another start is installing or building here (process ${holder.pids[0].pid}): waiting.`);
      said = true;
      await delay(200);
    } else if (holder) {
      await takeOver(file, holder, me);
      if (read(file)?.id === me.id) return;
    }
  }
}

/** The claim file is named after the dead holder, so that only one process replaces its lock. */
async function takeOver(file, holder, me) {
  const claim = `${file}.${holder.id}`;
  await acquire(claim, me);
  try {
    if (read(file)?.id === holder.id) renameSync(writeDraft(file, me), file);
  } finally {
    release(claim, me);
  }
}

function create(file, me) {
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
  writeFileSync(draft, JSON.stringify(me));
  return draft;
}

function release(file, me) {
  if (read(file)?.id === me.id) rmSync(file, { force: true });
}

function read(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    if (error.code === 'ENOENT') return null;
    return { id: 'unreadable', pids: [] };
  }
}

function isAlive({ pids }) {
  return pids.some(({ pid, started }) => {
    try {
      process.kill(pid, 0);
    } catch (error) {
      if (error.code !== 'EPERM') return false;
    }
    return started === describe(pid).started;
  });
}

/** Pids are reused; the start time tells processes apart, on systems with /proc. */
function describe(pid) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return { pid, started: stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] };
  } catch {
    return { pid, started: null };
  }
}
