// npm run build: builds what npm start needs.
import { requireNode } from './lib/node-version.mjs';

requireNode();
const { ensurePackages } = await import('./lib/packages.mjs');
const { ensureBuilt } = await import('./lib/build-steps.mjs');
const { orEnd } = await import('./lib/run.mjs');
await orEnd(ensurePackages());
await orEnd(ensureBuilt());
