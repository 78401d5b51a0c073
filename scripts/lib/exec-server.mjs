import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ensureBuilt } from './build-steps.mjs';
import { loadEnvFile } from './load-env-file.mjs';
import { ensurePackages } from './packages.mjs';
import { root } from './root.mjs';
import { orEnd } from './run.mjs';

/** Installs and builds, then runs the program in this process, so that it gets npm's signals. */
export async function execServer(name, settings = {}) {
  process.chdir(root);
  loadEnvFile();
  Object.assign(process.env, settings);
  await orEnd(ensurePackages());
  await orEnd(ensureBuilt());
  process.setSourceMapsEnabled(true);
  await import(pathToFileURL(join(root, 'dist', 'server', `${name}.js`)).href);
}
