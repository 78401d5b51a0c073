import { randomUUID } from 'node:crypto';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { acquireLock, releaseLock, replaceLock } from './lock-file.mjs';
import { root } from './root.mjs';
import { StepError } from './run.mjs';

const folder = join(root, '.cache');

/** Only one process may install or build here. A child joins the lock by `addChild`: it may outlive us if we are killed. */
export async function oneAtATime(action) {
  const me = { id: randomUUID(), pids: [describe(process.pid)] };
  const file = join(folder, 'setup.lock');
  makeFolder();
  await acquireLock(file, me, { isAlive, onHeld: waitFor() });
  const addChild = (pid) => {
    me.pids.push(describe(pid));
    replaceLock(file, me);
  };
  try {
    return await action(addChild);
  } finally {
    releaseLock(file, me);
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

function waitFor() {
  let isAnnounced = false;
  return async ({ pids }) => {
    if (!isAnnounced)
      console.log(`Another start is installing or building here (process ${pids[0].pid}): waiting.`);
    isAnnounced = true;
    await delay(200);
  };
}

function isAlive({ pids = [] }) {
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
