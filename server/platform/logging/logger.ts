import { createRequire } from 'node:module';
import { Writable } from 'node:stream';
import type pinoPretty from 'pino-pretty';
import { pino, type DestinationStream, type Logger } from 'pino';
import type { Config } from '../config/config.ts';
import { redactSecrets } from './redact-secrets.ts';

/**
 * Logs to standard output, without credentials or personal data: JSON lines, or on a terminal readable ones, from warnings on
 * unless LOG_LEVEL says otherwise.
 */
export function createLogger(
  { logLevel }: Pick<Config, 'logLevel'>,
  destination: DestinationStream = process.stdout,
  isTerminal = destination === process.stdout && process.stdout.isTTY,
): Logger {
  const options = {
    level: logLevel ?? (isTerminal ? 'warn' : 'info'),
    base: null,
    serializers: { err: describeError },
    // The finished line, since an error's message may quote any URL.
    hooks: { streamWrite: redactSecrets },
  };
  return pino(options, isTerminal ? makeReadable(destination) : destination);
}

/** An error may quote what another server sent. Without line breaks and tabs. */
const CONTROL_CHARACTERS = /[\x00-\x08\x0b-\x1f\x7f-\x9f]/g;

function makeReadable(output: DestinationStream): DestinationStream {
  const destination = new Writable({
    write(chunk: Buffer, _encoding, done) {
      output.write(chunk.toString().replace(CONTROL_CHARACTERS, ''));
      done();
    },
  });
  // Loaded when needed: most installations log to a file.
  const pretty = createRequire(import.meta.url)('pino-pretty') as typeof pinoPretty;
  return pretty({
    destination,
    colorize: false,
    translateTime: 'SYS:HH:MM:ss',
    singleLine: true,
    sync: true,
  });
}

type Description = {
  type: string;
  message: string;
  code?: unknown;
  stack?: string | undefined;
  cause?: Description;
};

/** Message and stack only: other properties of a database error contain the row. */
export function describeError(error: unknown): Description {
  if (!(error instanceof Error)) return { type: typeof error, message: String(error) };
  const { cause } = error;
  // Drizzle puts the statement with all its values into the message. The cause has Postgres's own.
  const isFailedQuery = 'query' in error && 'params' in error;
  const message = isFailedQuery ? 'A query failed' : error.message;
  const stack = isFailedQuery ? undefined : error.stack;
  return {
    type: error.name,
    message,
    ...('code' in error && { code: error.code }),
    ...(stack && { stack }),
    ...(cause !== undefined && { cause: describeError(cause) }),
  };
}
