import { join } from 'node:path';
import { projectRoot } from './project-root.ts';

/** Where whoever runs the server from its sources bundles its other programs first. */
export const BUNDLED_SCRIPTS_FOLDER = join(projectRoot, '.cache/programs');

/** One of our programs that run beside the server, as plain JavaScript: it starts in half the time its source takes. */
export function bundledScript(name: 'decoder-process' | 'cartoon-filter-worker'): string {
  const isBundled = import.meta.filename.endsWith('.js');
  return join(isBundled ? import.meta.dirname : BUNDLED_SCRIPTS_FOLDER, `${name}.js`);
}
