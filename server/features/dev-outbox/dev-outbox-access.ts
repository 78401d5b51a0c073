import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from '../../platform/config/config.ts';
import type { AppContext } from '../../platform/context.ts';
import { DEV_OUTBOX_FOLDER } from '../../platform/data-folder/data-folder.ts';
import { writeFileOnce } from '../../platform/files/write-file-once.ts';
import { isLoopbackOrigin } from '../../platform/http/security/local-requests.ts';
import { StartupError } from '../../platform/process/startup-error.ts';
import type { MessageKind } from './dev-outbox-files.ts';

export const DEV_OUTBOX_KEY_FILE = 'key';

const MIN_KEY_LENGTH = 32;

/** What is stored instead of sent. */
export function storedKinds({ email, sms }: Pick<Config, 'email' | 'sms'>): MessageKind[] {
  return [
    ...(email.transport.kind === 'dev-outbox' ? ['email' as const] : []),
    ...(sms.transport.kind === 'dev-outbox' ? ['sms' as const] : []),
  ];
}

export function isDevOutboxShown(config: Config): boolean {
  const { publicUrl } = config.http;
  const isPrivate = publicUrl === null || isLoopbackOrigin(publicUrl);
  return config.devOutbox.isEnabled && isPrivate && storedKinds(config).length > 0;
}

/** The same for all processes with this folder, and after a restart. `npm run sms` and `npm run email` read it, too. */
export async function readDevOutboxKey(dataDir: string): Promise<string> {
  const file = join(dataDir, DEV_OUTBOX_FOLDER, DEV_OUTBOX_KEY_FILE);
  await writeFileOnce(file, `${randomBytes(32).toString('base64url')}\n`);
  const key = (await readFile(file, 'utf8')).trim();
  if (key.length >= MIN_KEY_LENGTH) return key;
  throw new StartupError(`The key ${file} is too short. Remove it to get a new one.`);
}

/** The link to the outbox, for the operator alone: its key opens all messages. */
export function devOutboxUrl(
  { devOutboxKey }: Pick<AppContext, 'devOutboxKey'>,
  address: string,
): string | null {
  return devOutboxKey === null ? null : `${address}/dev/outbox?key=${devOutboxKey}`;
}
