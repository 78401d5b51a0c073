import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { oneAtATime } from './one-at-a-time.mjs';
import { root } from './root.mjs';
import { run, runTool, StepError } from './run.mjs';

const ALWAYS = ['shared', 'package.json', 'package-lock.json', 'scripts/lib'];

/** Bundles in dist/<name>. `build` writes to a draft folder, which then replaces the bundle. */
const STEPS = [
  {
    name: 'client',
    what: 'the pages',
    inputs: ['client', 'vite.config.ts', ...ALWAYS],
    build: (folder, options) =>
      runTool(
        'vite/bin/vite.js',
        ['build', '--outDir', folder, '--emptyOutDir', '--logLevel', 'warn'],
        options,
      ),
  },
  {
    name: 'server',
    what: 'the server',
    inputs: ['server', ...ALWAYS],
    build: (folder, options) => run(process.execPath, ['scripts/lib/bundle-server.mjs', folder], options),
  },
];

export async function ensureBuilt() {
  if (STEPS.every(isFresh)) return;
  await oneAtATime(async (addChild) => {
    for (const step of STEPS) if (!isFresh(step)) await build(step, addChild);
  });
}

async function build(step, addChild) {
  console.log(`Building ${step.what}…`);
  const dist = join(root, 'dist');
  const draft = join(dist, `.${step.name}-draft`);
  // Computed before the build: a change during the build makes it stale.
  const stamp = listing(step);
  rmSync(draft, { recursive: true, force: true });
  mkdirSync(draft, { recursive: true });
  const env = { ...process.env, NODE_ENV: 'production' };
  const code = await step.build(draft, { env, onSpawn: addChild });
  if (code !== 0) throw new StepError(`Building ${step.what} failed.`);
  writeFileSync(join(draft, STAMP), stamp);
  putInPlace(draft, join(dist, step.name));
}

const STAMP = '.built-from';

/** Renames whole folders, stamp included: an interrupted build is complete or absent. */
function putInPlace(draft, folder) {
  const old = `${folder}-old`;
  rmSync(old, { recursive: true, force: true });
  if (existsSync(folder)) renameSync(folder, old);
  renameSync(draft, folder);
  rmSync(old, { recursive: true, force: true });
}

function isFresh(step) {
  const stamp = join(root, 'dist', step.name, STAMP);
  return existsSync(stamp) && readFileSync(stamp, 'utf8') === listing(step);
}

/** Hashes contents, because copies and checkouts change modification times. */
function listing({ inputs }) {
  const hash = createHash('sha256');
  for (const input of inputs) addTo(hash, input);
  return `${hash.digest('hex')}\n`;
}

function addTo(hash, path) {
  const full = join(root, path);
  if (!statSync(full).isDirectory()) {
    if (!isTest(path)) hash.update(`${path}\0`).update(readFileSync(full));
    return;
  }
  for (const name of readdirSync(full).sort()) addTo(hash, `${path}/${name}`);
}

function isTest(path) {
  return /\.test\.tsx?$|^server\/testing\//.test(path);
}
