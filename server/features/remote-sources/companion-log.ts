import { stripVTControlCharacters } from 'node:util';
import type { Logger } from 'pino';

const COMPANION = /[\\/]@uppy[\\/]companion[\\/]/;
const MAX_LENGTH = 200;

let logger: Logger | null = null;

/**
 * Companion logs to the console: whole error objects, with the vendors' tokens, and lists of a user's files. It has no
 * setting for that. Passes the first line of its errors to our log, without addresses, and drops the rest.
 */
export function muteCompanion(to: Logger): void {
  const isMuted = logger !== null;
  logger = to;
  if (isMuted) return;
  const log = console.log;
  console.log = (...values: unknown[]) => {
    if (isCalledByCompanion()) reportError(values.map((each) => stripVTControlCharacters(String(each))));
    else log(...values);
  };
}

function reportError([head = '', text = '']: string[]): void {
  const tag = /\[error\]\s+(.*)/.exec(head)?.[1];
  if (tag === undefined) return;
  const error = text
    .split('\n')[0]
    ?.replace(/https?:\S+/g, '<address>')
    .slice(0, MAX_LENGTH);
  logger?.info({ tag, error }, 'Companion reported an error');
}

function isCalledByCompanion(): boolean {
  const [, , , caller = ''] = new Error().stack?.split('\n') ?? [];
  return COMPANION.test(caller);
}
