import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { syncToDisk } from '../files/sync-to-disk.ts';
import { StartupError } from '../process/startup-error.ts';
import { SUPERUSER } from './app-role.ts';
import type { PostgresRunner } from './postgres-runner.ts';

type NewCluster = {
  initdb: string;
  dataDir: string;
  password: string;
  runner: PostgresRunner;
  /** False in tests. */
  isDurable: boolean;
};

export function hasCluster(dataDir: string): boolean {
  return existsSync(join(dataDir, 'PG_VERSION'));
}

/** Runs initdb in a draft folder and renames it at the end, so that an interrupted run leaves no partial cluster. */
export async function makeCluster({ dataDir, ...options }: NewCluster): Promise<void> {
  const parent = dirname(dataDir);
  const draftName = `${basename(dataDir)}.draft-`;
  for (const name of await readdir(parent)) {
    if (name.startsWith(draftName)) await rm(join(parent, name), { recursive: true, force: true });
  }
  const draft = await mkdtemp(join(parent, draftName));
  try {
    await runInitdb(draft, options);
    await rename(draft, dataDir).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error;
      throw new StartupError(`${dataDir} is not empty and holds no database. Move away what is in it.`);
    });
    await syncToDisk(parent);
  } catch (error) {
    await rm(draft, { recursive: true, force: true });
    throw error;
  }
}

async function runInitdb(
  draft: string,
  { initdb, password, runner, isDurable }: Omit<NewCluster, 'dataDir'>,
) {
  await chmod(draft, 0o700);
  await runner.own(draft);
  const passwords = await mkdtemp(join(tmpdir(), 'mems-'));
  const passwordFile = join(passwords, 'password');
  try {
    await writeFile(passwordFile, password, { mode: 0o600 });
    await runner.own(passwords);
    const args = ['-D', draft, '-U', SUPERUSER, '--pwfile', passwordFile, '--auth', 'scram-sha-256'];
    args.push('--encoding=UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8');
    if (!isDurable) args.push('--no-sync');
    const child = runner.start(initdb, args, { stdio: ['ignore', 'pipe', 'pipe'], cwd: draft });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', (chunk: Buffer) => (output += chunk.toString()));
    const [code, signal] = (await once(child, 'close')) as [number | null, string | null];
    if (code !== 0) {
      throw new StartupError(
        `The database could not be made (initdb: ${signal ?? `exit code ${code}`}).\n${output.trim()}`,
      );
    }
  } finally {
    await rm(passwords, { recursive: true, force: true });
  }
}
