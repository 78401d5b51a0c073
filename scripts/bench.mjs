// npm run bench: measures the app's speed relative to a minimal server. See bench/README.md.
import { requireNode } from './lib/node-version.mjs';

requireNode();
const { cleanEnvironment } = await import('./lib/clean-environment.mjs');
const { ensurePackages } = await import('./lib/packages.mjs');
const { ensureBuilt } = await import('./lib/build-steps.mjs');
const { provideBrowser } = await import('./browser.mjs');
const { orEnd, run } = await import('./lib/run.mjs');

await orEnd(ensurePackages());
const CHROMIUM_PATH = await orEnd(provideBrowser());
await orEnd(ensureBuilt());
const env = { ...cleanEnvironment(), CHROMIUM_PATH };
process.exit(
  await run(process.execPath, ['--import', 'tsx', 'bench/main.ts', ...process.argv.slice(2)], { env }),
);
