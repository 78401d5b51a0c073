import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { root } from './root.mjs';

/** An error whose message is shown without a stack trace. */
export class StepError extends Error {}

const SIGNALS = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 };
/** Longer than the server's own shutdown timeout. */
const PATIENCE_MS = 15_000;
const running = new Set();
let ending = false;

/** Resolves to the exit code, with `capture` to { code, output }. Signals are passed on to the process group. */
export async function run(command, args, options = {}) {
  const { cwd = root, env = process.env, onSpawn, timeoutMs, abort, capture = false, filter } = options;
  const child = spawn(command, args, {
    cwd,
    env,
    stdio: ['ignore', capture || filter ? 'pipe' : 'inherit', capture ? 'pipe' : 'inherit'],
    // A process group, so that its children can be ended too.
    detached: true,
  });
  let output = '';
  if (capture)
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
  if (filter) createInterface(child.stdout).on('line', (line) => filter(line) && console.log(line));
  watchSignals();
  running.add(child);
  const stop = () => void endGroup(child, 'SIGTERM');
  const timer = timeoutMs && setTimeout(stop, timeoutMs);
  abort?.addEventListener('abort', stop);
  try {
    const code = await new Promise((resolve, reject) => {
      child.on('error', reject);
      child.on('close', (status) => resolve(status ?? 1));
      if (child.pid) onSpawn?.(child.pid);
    });
    // We are about to exit: the next step must not begin.
    if (ending) await new Promise(() => {});
    return capture ? { code, output } : code;
  } finally {
    clearTimeout(timer);
    abort?.removeEventListener('abort', stop);
    running.delete(child);
    if (running.size === 0 && !ending) unwatchSignals();
  }
}

export function runTool(path, args, options) {
  return run(process.execPath, [`node_modules/${path}`, ...args], options);
}

/** For the top level of a script: exits with the message of a failed step. */
export async function orEnd(step) {
  try {
    return await step;
  } catch (error) {
    console.error(error instanceof StepError ? error.message : error);
    process.exit(1);
  }
}

function watchSignals() {
  if (running.size > 0) return;
  for (const signal of Object.keys(SIGNALS)) process.on(signal, endAll);
}

/** The server, which may run in this process next, has its own handlers. */
function unwatchSignals() {
  for (const signal of Object.keys(SIGNALS)) process.off(signal, endAll);
}

async function endAll(signal) {
  if (ending) return;
  ending = true;
  await Promise.all([...running].map((child) => endGroup(child, signal)));
  process.exit(SIGNALS[signal]);
}

async function endGroup(child, signal) {
  if (child.exitCode !== null || child.signalCode !== null) return killGroup(child, 'SIGKILL');
  const ended = new Promise((resolve) => child.once('close', resolve));
  killGroup(child, signal);
  const hard = setTimeout(() => killGroup(child, 'SIGKILL'), PATIENCE_MS);
  await ended;
  clearTimeout(hard);
  killGroup(child, 'SIGKILL');
}

function killGroup(child, signal) {
  try {
    process.kill(-child.pid, signal);
  } catch {
    // The group has already ended.
  }
}
