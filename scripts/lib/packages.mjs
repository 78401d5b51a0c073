import { createHash } from 'node:crypto';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { oneAtATime } from './one-at-a-time.mjs';
import { root } from './root.mjs';
import { run, StepError } from './run.mjs';

const lockFile = join(root, 'package-lock.json');
const installedFile = join(root, 'node_modules', '.package-lock.json');
/** Hash of the lock file and the platform of the last complete installation. */
const stampFile = join(root, 'node_modules', '.installed');

export async function ensurePackages() {
  if (areInstalled()) return;
  await oneAtATime(async (addChild) => {
    if (!areInstalled()) await install(addChild);
  });
}

async function install(addChild) {
  console.log('Installing packages (once; this can take a minute or two)…');
  // An interrupted installation must not look complete.
  for (const file of [installedFile, stampFile]) rmSync(file, { force: true });
  const [command, ...prefix] = npm();
  // Building needs devDependencies, even with NODE_ENV=production. No package needs its install scripts.
  const args = ['ci', '--include=dev', '--include=optional', '--ignore-scripts', '--prefer-offline'];
  const quiet = ['--no-audit', '--no-fund', '--no-update-notifier', '--loglevel=error'];
  const code = await run(command, [...prefix, ...args, ...quiet], { onSpawn: addChild }).catch((error) => {
    throw new StepError(`npm could not be started: ${error.message}`);
  });
  if (code !== 0)
    throw new StepError(`The packages could not be installed (npm ci ended with exit code ${code}).`);
  writeFileSync(stampFile, stamp());
}

/** The npm that started us, so that the version is the same. */
function npm() {
  const path = process.env.npm_execpath;
  return path && basename(path) === 'npm-cli.js' && existsSync(path) ? [process.execPath, path] : ['npm'];
}

function areInstalled() {
  if (!existsSync(installedFile)) return false;
  const wanted = Object.entries(JSON.parse(readFileSync(lockFile, 'utf8')).packages);
  const installed = JSON.parse(readFileSync(installedFile, 'utf8')).packages;
  const isStamped = existsSync(stampFile) && readFileSync(stampFile, 'utf8') === stamp();
  return wanted.every(([path, entry]) => {
    if (path === '') return true;
    if (installed[path]) return installed[path].version === entry.version;
    // npm skips optional packages for other platforms.
    return entry.optional && (isStamped || !isForThisMachine(entry));
  });
}

function isForThisMachine({ os, cpu, libc }) {
  const isFor = (list, value) => !list || list.includes(value);
  return !libc && (os || cpu) && isFor(os, process.platform) && isFor(cpu, process.arch);
}

function stamp() {
  const lock = createHash('sha256').update(readFileSync(lockFile)).digest('hex');
  return `${lock} ${process.platform}-${process.arch}\n`;
}
