import { createWriteStream, existsSync, rmSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { parseArgs, type ParseArgsConfig } from 'node:util';
import { v7 as uuidv7 } from 'uuid';
import { StartupError } from '../../platform/process/startup-error.ts';
import { syncToDisk } from '../../platform/files/sync-to-disk.ts';
import { readBackup } from './read-backup.ts';
import { megabytes, type OpenTarget } from './restore/check-target.ts';
import { restoreBackup } from './restore/restore-backup.ts';
import { writeBackup, type BackupSource, type WrittenBackup } from './write-backup.ts';

const BACKUP_USAGE = 'Usage: npm run backup -- FILE, or npm run --silent backup -- - for the standard output';
const RESTORE_USAGE = `Usage: npm run restore -- FILE
--check only says whether it can be restored.
--new-secret restores although the SESSION_SECRET is lost: everyone must sign in again.`;

type Report = (line: string) => void;

/** @throws StartupError */
export async function runBackupCommand(
  openSource: () => Promise<BackupSource & { close(): Promise<void> }>,
  args: string[],
  report: Report,
): Promise<void> {
  const { file } = parse(args, {}, BACKUP_USAGE);
  const source = await openSource();
  try {
    const written = file === '-' ? await backUpToOutput(source) : await backUpTo(source, resolve(file));
    const { tables, objects } = written.manifest;
    const rows = tables.reduce((sum, table) => sum + table.rows, 0);
    report(`Backed up ${rows} rows and ${objects.count} objects (${megabytes(objects.bytes)}).`);
  } finally {
    await source.close();
  }
}

async function backUpToOutput(source: BackupSource): Promise<WrittenBackup> {
  let outputError: Error | undefined;
  process.stdout.once('error', (error: Error) => {
    outputError = error;
  });
  try {
    return await writeBackup(source, () => process.stdout, { id: uuidv7(), now: new Date() });
  } catch (error) {
    if (error !== outputError) throw error;
    const { message } = error as Error;
    throw new StartupError(`The standard output cannot be written: ${message}. No backup was made.`);
  }
}

/** Writes a draft, verifies it, then renames it: the file is complete or missing. */
async function backUpTo(source: BackupSource, file: string): Promise<WrittenBackup> {
  if (existsSync(file)) throw new StartupError(`${file} exists already. Nothing was written.`);
  const draft = `${file}.partial`;
  let isOpen = false;
  // Only under the lock: another backup may be writing to the draft.
  const openDraft = () => {
    isOpen = true;
    // Not into a file or a link that is there: in a shared folder it may be somebody else's.
    rmSync(draft, { force: true });
    return createWriteStream(draft, { flags: 'wx', mode: 0o600, flush: true });
  };
  try {
    const written = await writeBackup(source, openDraft, { id: uuidv7(), now: new Date() });
    await readBackup(draft);
    await rename(draft, file);
    await syncToDisk(dirname(file));
    return written;
  } catch (error) {
    if (isOpen) await rm(draft, { force: true });
    throw explain(error, file);
  }
}

function explain(error: unknown, file: string): unknown {
  const { code = '', path, message } = error as NodeJS.ErrnoException;
  const isAboutFile = path?.startsWith(file) || ['ENOSPC', 'EDQUOT', 'EIO'].includes(code);
  return isAboutFile ? new StartupError(`${file} cannot be written: ${message}. No backup was made.`) : error;
}

/** @throws StartupError */
export async function runRestoreCommand(open: OpenTarget, args: string[], report: Report): Promise<void> {
  const options = { check: { type: 'boolean' }, 'new-secret': { type: 'boolean' } } as const;
  const { file, values } = parse(args, options, RESTORE_USAGE);
  await restoreBackup(open, {
    file: resolve(file),
    isCheck: values['check'] === true,
    allowsNewSecret: values['new-secret'] === true,
    report,
  });
}

function parse(args: string[], options: NonNullable<ParseArgsConfig['options']>, usage: string) {
  try {
    const { values, positionals } = parseArgs({ args, options, allowPositionals: true });
    const [file, ...others] = positionals;
    if (!file || others.length > 0) throw new Error('Please name one file.');
    return { file, values };
  } catch (error) {
    throw new StartupError(`${(error as Error).message}\n${usage}`);
  }
}
