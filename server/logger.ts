import { pino, type Logger } from 'pino';
import type { Config } from './config.ts';

/** JSON lines on standard output. Cookies and credentials never get into them. */
export function createLogger(config: Pick<Config, 'logLevel'>): Logger {
  return pino({
    level: config.logLevel,
    base: null,
    redact: ['req.headers.cookie', 'req.headers.authorization', 'res.headers["set-cookie"]'],
  });
}
