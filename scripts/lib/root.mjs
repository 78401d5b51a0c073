import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder of package.json, wherever this was started from. */
export const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
