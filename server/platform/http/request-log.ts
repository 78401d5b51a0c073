import { randomUUID } from 'node:crypto';
import type { RequestHandler } from 'express';
import type { Logger } from 'pino';
import { pinoHttp } from 'pino-http';
import { describeError } from '../logger.ts';

/** Sends an id as `X-Request-Id`, and logs it with each response. */
export function requestLog(logger: Logger): RequestHandler {
  return pinoHttp({
    logger,
    genReqId: (_request, response) => {
      const id = randomUUID();
      response.setHeader('X-Request-Id', id);
      return id;
    },
    customLogLevel: (request, response, error) => {
      if (error || response.statusCode >= 500) return 'error';
      return request.url?.startsWith('/api/') && !request.url.startsWith('/api/health') ? 'info' : 'debug';
    },
    serializers: {
      req: (request: { id: string; method: string; url: string }) => ({
        id: request.id,
        method: request.method,
        path: redactPath(request.url),
      }),
      err: describeError,
      res: (response: { statusCode: number }) => ({ status: response.statusCode }),
    },
    wrapSerializers: false,
  });
}

/** Without the query, which may contain a signature or search terms, and without tokens that alone give access. */
export function redactPath(url: string): string {
  const [path = ''] = url.split('?');
  return path.replace(/^\/(p|unsubscribe|preferences)\/[^/]+/i, '/$1/[redacted]');
}
