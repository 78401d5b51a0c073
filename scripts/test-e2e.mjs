// npm run test:e2e: the end-to-end tests alone, with a browser and a build. Arguments go to Playwright.
import { requireNode } from './lib/node-version.mjs';

requireNode();
const { cleanEnvironment } = await import('./lib/clean-environment.mjs');
const { ensurePackages } = await import('./lib/packages.mjs');
const { ensureBuilt } = await import('./lib/build-steps.mjs');
const { provideBrowser } = await import('./browser.mjs');
const { orEnd, runTool } = await import('./lib/run.mjs');

await orEnd(ensurePackages());
const CHROMIUM_PATH = await orEnd(provideBrowser());
await orEnd(ensureBuilt());
const env = { ...cleanEnvironment(), CHROMIUM_PATH };
process.exit(await runTool('@playwright/test/cli.js', ['test', ...process.argv.slice(2)], { env }));
