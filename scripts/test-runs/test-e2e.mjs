// npm run test:e2e: the end-to-end tests alone, with a browser and a build. Arguments go to Playwright.
import { requireNode } from '../lib/node-version.mjs';

requireNode();
const { cleanEnvironment } = await import('../lib/clean-environment.mjs');
const { ensurePackages } = await import('../lib/packages.mjs');
const { ensureBuilt } = await import('../lib/build-steps.mjs');
const { provideBrowser } = await import('../lib/browser.mjs');
const { orEnd, runTool } = await import('../lib/run.mjs');

await orEnd(ensurePackages());
const CHROMIUM_PATH = await orEnd(provideBrowser());
await orEnd(ensureBuilt());
// A server that runs already: see e2e/support/apps/worker-app.ts.
const running = ['E2E_BASE_URL', 'E2E_DATA_DIR', 'E2E_DATABASE_URL'];
// A long run: see e2e/system/add-many-crash.spec.ts.
const longRun = ['ADD_MANY_CRASHES', 'ADD_MANY_PHOTOS', 'FAULTS_SEED'];
const env = { ...cleanEnvironment([...running, ...longRun]), CHROMIUM_PATH };
process.exit(await runTool('@playwright/test/cli.js', ['test', ...process.argv.slice(2)], { env }));
