// Finds or installs a Chromium for the browser tests. Run directly, prints its path.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { cleanEnvironment } from './clean-environment.mjs';
import { root } from './root.mjs';
import { orEnd, run, runTool, StepError } from './run.mjs';

const DOWNLOAD_MS = 5 * 60_000;
const INSTALL_MS = 10 * 60_000;
/** Caches the path, since searching and downloading take long. */
const rememberedFile = join(root, '.cache', 'browser');
/** First the headless shell, which Playwright also uses: tests take two thirds of the time. */
const NAMES = [
  'chromium-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome-stable',
  'google-chrome',
  'chrome',
];
const ON_A_MAC = ['Google Chrome', 'Chromium'].map(
  (name) => `/Applications/${name}.app/Contents/MacOS/${name}`,
);

/** Resolves to '' for Playwright's own Chromium. @throws StepError if none can be found or installed */
export async function provideBrowser() {
  const given = process.env.CHROMIUM_PATH;
  if (given) {
    if (await starts(given)) return given;
    throw new StepError(`CHROMIUM_PATH names ${given}, which does not start.`);
  }
  const remembered = existsSync(rememberedFile) ? readFileSync(rememberedFile, 'utf8') : '';
  if (remembered && (await starts(remembered))) return remembered;
  const found = await find();
  mkdirSync(join(root, '.cache'), { recursive: true });
  writeFileSync(rememberedFile, found);
  return found;
}

async function find() {
  if (await starts('')) return '';
  console.log('Downloading a browser for the tests (once)…');
  if ((await download()) && (await starts(''))) return '';
  const local = await findOnMachine();
  if (local) return local;
  if (canUseApt()) {
    console.log('Installing Chromium by apt-get (once; this can take a few minutes)…');
    for (const name of ['chromium-headless-shell', 'chromium']) {
      await installByApt(name);
      const installed = await findOnMachine();
      if (installed) return installed;
    }
  }
  throw new StepError(
    'No browser for the end-to-end tests: it could not be downloaded, there is no Chromium or Chrome on this machine, and none could be installed. Install one and name it in CHROMIUM_PATH.',
  );
}

async function download() {
  const options = { capture: true, timeoutMs: DOWNLOAD_MS, env: cleanEnvironment() };
  const { code } = await runTool('@playwright/test/cli.js', ['install', 'chromium'], options);
  return code === 0;
}

async function findOnMachine() {
  const folders = (process.env.PATH ?? '').split(delimiter).filter(Boolean);
  const candidates = [...folders.flatMap((folder) => NAMES.map((name) => join(folder, name))), ...ON_A_MAC];
  for (const path of candidates) if (existsSync(path) && (await starts(path))) return path;
  return null;
}

function canUseApt() {
  return process.getuid?.() === 0 && existsSync('/usr/bin/apt-get');
}

async function installByApt(name) {
  const env = { ...cleanEnvironment(), DEBIAN_FRONTEND: 'noninteractive' };
  const options = { capture: true, timeoutMs: INSTALL_MS, env };
  await run('apt-get', ['update', '-q'], options);
  const { code, output } = await run('apt-get', ['install', '-qy', '--no-install-recommends', name], options);
  if (code !== 0) console.log(output.trim().split('\n').slice(-5).join('\n'));
}

/** Starts it, because its libraries may be missing. In a child process, which has a timeout. */
async function starts(path) {
  const script = `
    const { chromium } = await import('@playwright/test');
    const browser = await chromium.launch({ executablePath: process.argv[1] || undefined, timeout: 30000 });
    await (await browser.newPage()).goto('about:blank');
    await browser.close();
  `;
  const args = ['--input-type=module', '-e', script, path];
  const { code } = await run(process.execPath, args, {
    capture: true,
    timeoutMs: 60_000,
    env: cleanEnvironment(),
  });
  return code === 0;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  console.log((await orEnd(provideBrowser())) || "Playwright's own Chromium");
}
