import { provideBrowser } from '../lib/browser.mjs';
import { ensureBuilt } from '../lib/build-steps.mjs';
import { cleanEnvironment } from '../lib/clean-environment.mjs';
import { ensurePackages } from '../lib/packages.mjs';
import { orEnd, run } from '../lib/run.mjs';

/** Runs a benchmark against the production build, with the command line's options. */
export async function runBench(file) {
  await orEnd(ensurePackages());
  const CHROMIUM_PATH = await orEnd(provideBrowser());
  await orEnd(ensureBuilt());
  const env = { ...cleanEnvironment(), CHROMIUM_PATH };
  process.exit(await run(process.execPath, ['--import', 'tsx', file, ...process.argv.slice(2)], { env }));
}
