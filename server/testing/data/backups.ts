import { createHash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';
import { openBackupSource, openTarget } from '../../app/compose-backup.ts';
import { runBackupCommand, runRestoreCommand } from '../../features/backups/backup-command.ts';
import { parseConfig, type Config } from '../../platform/config/config.ts';
import type { ObjectReader } from '../../platform/object-storage/object-storage.ts';
import { readAllRows } from '../assertions/all-rows.ts';
import { createEmptyDatabase } from '../environment/test-database.ts';

/** Removed after the test. */
export async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'mems-backup-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** Backs up an installation, as `npm run backup` does. */
export async function backUp(config: Config, file: string): Promise<void> {
  await runBackupCommand(
    () => openBackupSource(config, () => undefined),
    [file],
    () => undefined,
  );
}

/** As `npm run restore` does. @returns what it prints */
export async function restore(config: Config, file: string, ...options: string[]): Promise<string[]> {
  const lines: string[] = [];
  const report = (line: string) => void lines.push(line);
  await runRestoreCommand(
    openTarget(config, () => undefined),
    [...options, file],
    report,
  );
  return lines;
}

/** An installation that was never started: with an external database, or the embedded one if `DATABASE_URL` is undefined. */
export async function emptyInstallation(
  settings: Record<string, string | undefined> = {},
): Promise<{ config: Config; settings: Record<string, string> }> {
  const database = 'DATABASE_URL' in settings ? null : await createEmptyDatabase();
  if (database) onTestFinished(() => database.drop());
  const all = {
    DATA_DIR: join(await temporaryFolder(), 'data'),
    ...(database && { DATABASE_URL: database.url }),
    ...settings,
  };
  const given = Object.entries(all).filter((each): each is [string, string] => each[1] !== undefined);
  return { config: parseConfig(Object.fromEntries(given)), settings: Object.fromEntries(given) };
}

/** All rows, and the SHA-256 of each object by key. */
export async function contentOf(config: Config) {
  const source = await openBackupSource(config, () => undefined);
  try {
    return { rows: await readAllRows(source.databaseUrl), objects: await readObjects(source.objects) };
  } finally {
    await source.close();
  }
}

/** The SHA-256 of each object by key. */
export async function readObjects(storage: ObjectReader): Promise<Record<string, string>> {
  const sums: Record<string, string> = {};
  for await (const { key } of storage.list()) {
    const body = (await storage.open(key)) as Readable;
    sums[key] = createHash('sha256')
      .update(await buffer(body))
      .digest('hex');
  }
  return sums;
}
