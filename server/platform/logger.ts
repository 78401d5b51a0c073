import { pino, type DestinationStream, type Logger } from 'pino';
import type { Config } from './config/config.ts';
import { redactSecrets } from './redact-secrets.ts';

/** Logs JSON lines to standard output, without credentials or personal data. */
export function createLogger(config: Pick<Config, 'logLevel'>, destination?: DestinationStream): Logger {
  const options = {
    level: config.logLevel,
    base: null,
    serializers: { err: describeError },
    // The finished line, since an error's message may quote any URL.
    hooks: { streamWrite: redactSecrets },
  };
  return destination ? pino(options, destination) : pino(options);
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
