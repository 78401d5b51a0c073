import { randomUUID } from 'node:crypto';
import type { RequestHandler } from 'express';
import type { Logger } from 'pino';
import { pinoHttp } from 'pino-http';
import { describeError } from '../logger.ts';

/** Gives each request an id, sends it as `X-Request-Id`, and writes one log line with it when the answer is out. */
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
        // Without the query: it may hold a signature or somebody's search.
        path: request.url.split('?')[0],
      }),
      err: describeError,
      res: (response: { statusCode: number }) => ({ status: response.statusCode }),
    },
    wrapSerializers: false,
  });
}
