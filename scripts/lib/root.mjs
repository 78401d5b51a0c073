import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder of package.json, whatever the working directory. */
export const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
