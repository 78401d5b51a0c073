import { join } from 'node:path';
import { projectRoot } from './project-root.ts';

/** For a server that runs from its sources. */
export const BUNDLED_SCRIPTS_FOLDER = join(projectRoot, '.cache/programs');

/** The path of a worker's or child process's script. Bundled JavaScript starts in half the time of its source. */
export function bundledScript(name: 'decoder-process' | 'cartoon-filter-worker'): string {
  const isBundled = import.meta.filename.endsWith('.js');
  return join(isBundled ? import.meta.dirname : BUNDLED_SCRIPTS_FOLDER, `${name}.js`);
}
