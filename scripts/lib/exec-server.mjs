import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ensureBuilt } from './build-steps.mjs';
import { ensurePackages } from './packages.mjs';
import { root } from './root.mjs';
import { orEnd } from './run.mjs';

/**
 * Installs what is missing, builds what is stale, then becomes that program of the server, all in this one process, so
 * that a signal to npm reaches it and nothing is left when it has ended. `settings` win over every other.
 */
export async function execServer(name, settings = {}) {
  process.chdir(root);
  // The real environment wins. ENV_FILE names another file; empty: none.
  const envFile = process.env.ENV_FILE ?? '.env';
  if (envFile && existsSync(envFile)) process.loadEnvFile(envFile);
  Object.assign(process.env, settings);
  await orEnd(ensurePackages());
  await orEnd(ensureBuilt());
  process.setSourceMapsEnabled(true);
  await import(pathToFileURL(join(root, 'dist', 'server', `${name}.js`)).href);
}
