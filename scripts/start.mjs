// npm start: installs what is missing, builds what is stale, then becomes the server, all in this one process,
// so that a signal to npm reaches the server and nothing is left when it has ended.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { requireNode } from './lib/node-version.mjs';
import { root } from './lib/root.mjs';

requireNode();
process.chdir(root);

// The real environment wins. ENV_FILE names another file; empty: none.
const envFile = process.env.ENV_FILE ?? '.env';
if (envFile && existsSync(envFile)) process.loadEnvFile(envFile);

const { ensurePackages } = await import('./lib/packages.mjs');
const { ensureBuilt } = await import('./lib/build-steps.mjs');
const { orEnd } = await import('./lib/run.mjs');
await orEnd(ensurePackages());
await orEnd(ensureBuilt());

process.setSourceMapsEnabled(true);
await import(pathToFileURL(join(root, 'dist', 'server', 'main.js')).href);
