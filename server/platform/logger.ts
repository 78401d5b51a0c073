import { pino, type Logger } from 'pino';
import type { Config } from './config/config.ts';

/** JSON lines on standard output. Neither credentials nor what people wrote gets into them. */
export function createLogger(config: Pick<Config, 'logLevel'>): Logger {
  return pino({ level: config.logLevel, base: null, serializers: { err: describeError } });
}

type Description = {
  type: string;
  message: string;
  code?: unknown;
  stack?: string | undefined;
  cause?: Description;
};

/** An error's words and place, not its other properties: those of the database hold the row that was being written. */
export function describeError(error: unknown): Description {
  if (!(error instanceof Error)) return { type: typeof error, message: String(error) };
  const { cause } = error;
  // Drizzle puts the statement with all its values into the message; the cause says what was wrong with it.
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
