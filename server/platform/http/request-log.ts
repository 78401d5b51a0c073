import { randomUUID } from 'node:crypto';
import type { RequestHandler, Response } from 'express';
import type { Logger } from 'pino';
import { redactSecrets } from '../logging/redact-secrets.ts';

declare module 'http' {
  interface IncomingMessage {
    id: string;
  }
  interface ServerResponse {
    /** Logged with the response. */
    err?: unknown;
  }
}

/** Sends an id as `X-Request-Id`, and logs it with each response. */
export function requestLog(logger: Logger): RequestHandler {
  return (request, response, next) => {
    const id = randomUUID();
    const startedAt = Date.now();
    request.id = id;
    response.setHeader('X-Request-Id', id);
    // Without a listener, an error of a response crashes the process.
    response.on('error', (error) => (response.err ??= error));
    response.once('close', () => {
      // Node 24 closes a response whose body cannot be read before the error handler is called.
      response.err ??= response.errored ?? undefined;
      const path = redactPath(request.originalUrl);
      const level = levelOf(path, response);
      // Most requests are below the usual level: images and files of the client.
      if (!logger.isLevelEnabled(level)) return;
      const { method } = request;
      const { statusCode: status, err } = response;
      logger[level](
        {
          req: { id, method, path },
          res: { status },
          ...(request.user && { userId: request.user.id }),
          // Raw: the logger describes it.
          ...(err !== undefined && { err }),
          responseTime: Date.now() - startedAt,
        },
        level === 'error' ? 'request errored' : 'request completed',
      );
    });
    next();
  };
}

function levelOf(path: string, response: Response): 'error' | 'info' | 'debug' {
  if (response.err !== undefined || response.statusCode >= 500) return 'error';
  return path.startsWith('/api/') && !path.startsWith('/api/health') ? 'info' : 'debug';
}

/** Without the query, which may contain a signature or search terms, and without tokens that alone give access. */
export function redactPath(url: string): string {
  const [path = ''] = url.split('?');
  return redactSecrets(path);
}
