import { provideBrowser } from '../browser.mjs';
import { ensureBuilt } from './build-steps.mjs';
import { cleanEnvironment } from './clean-environment.mjs';
import { ensurePackages } from './packages.mjs';
import { orEnd, run } from './run.mjs';

/** Runs a benchmark against the production build, with the command line's options. */
export async function runBench(file) {
  await orEnd(ensurePackages());
  const CHROMIUM_PATH = await orEnd(provideBrowser());
  await orEnd(ensureBuilt());
  const env = { ...cleanEnvironment(), CHROMIUM_PATH };
  process.exit(await run(process.execPath, ['--import', 'tsx', file, ...process.argv.slice(2)], { env }));
}
