import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './root.mjs';

/** The environment overrides the file. ENV_FILE names another file; empty: none. */
export function loadEnvFile() {
  const file = process.env.ENV_FILE ?? join(root, '.env');
  if (file && existsSync(file)) process.loadEnvFile(file);
}
