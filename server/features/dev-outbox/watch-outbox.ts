import { existsSync, watch, type FSWatcher } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { isOutgoing } from './dev-outbox-files.ts';

/** Several messages of one act, like an email to each contact, are reported once. */
const COLLECT_MS = 2_000;

/** Calls back when emails or texts were stored instead of sent. */
export async function watchOutbox(
  folder: string,
  onStored: () => void,
  collectMs = COLLECT_MS,
): Promise<FSWatcher> {
  await mkdir(folder, { recursive: true });
  let isCollecting = false;
  return watch(folder, { persistent: false }, (_event, name) => {
    if (isCollecting || name === null || !isStoredMessage(folder, name)) return;
    isCollecting = true;
    setTimeout(() => {
      isCollecting = false;
      onStored();
    }, collectMs).unref();
  }).on('error', () => undefined);
}

/** A watcher also names what was deleted. */
export function isStoredMessage(folder: string, name: string): boolean {
  return isOutgoing(name) && existsSync(join(folder, name));
}
