import { existsSync, readdirSync } from 'node:fs';
import { extname, join } from 'node:path';
import express, { Router, type RequestHandler } from 'express';
import { isPagePath } from '#shared/api/page-paths';
import { NotFoundError } from '../../errors.ts';
import { loadPageHtml } from './page-html.ts';

/**
 * Serves the built client, with index.html for all paths of its pages, and with status 404 for others.
 * @param sessionCookie the name of the cookie that a signed-in browser has
 */
export function clientFiles(folder: string, sessionCookie: string): Router {
  const router = Router();
  const pageHtml = loadPageHtml(folder);
  const assets = join(folder, 'assets');
  router.use(
    '/assets',
    preferBrotli(assets),
    express.static(assets, { immutable: true, maxAge: '1y', fallthrough: false }),
  );
  router.use(
    express.static(folder, {
      index: false,
      maxAge: 0,
      setHeaders: (response, path) => {
        // Browsers and proxies must not keep an app from updating.
        if (path.endsWith('service-worker.js')) response.setHeader('Cache-Control', 'no-cache');
      },
    }),
  );

  router.get('/{*path}', (request, response) => {
    // A path with an extension is a missing file.
    const isPage =
      !/^\/+(api|objects|uploads|\.well-known)(\/|$)/.test(request.path) &&
      !/\.[a-z0-9]+$/i.test(request.path);
    if (!isPage) throw new NotFoundError();
    if (!pageHtml) throw new NotFoundError();
    const hasSession = request.headers.cookie?.includes(`${sessionCookie}=`) ?? false;
    response.set('Cache-Control', 'no-cache').vary('Cookie');
    response.status(isPagePath(request.path) ? 200 : 404).type('html');
    response.send(pageHtml(request.path, Object.keys(request.query), hasSession));
  });

  return router;
}

/** Serves the copy that the build has compressed. */
function preferBrotli(folder: string): RequestHandler {
  const compressed = new Set(
    existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.br')) : [],
  );
  return (request, response, next) => {
    const name = `${request.path.slice(1)}.br`;
    if (compressed.has(name)) {
      response.vary('Accept-Encoding');
      if (request.acceptsEncodings('br')) {
        response.type(extname(request.path)).set('Content-Encoding', 'br');
        request.url = `/${name}`;
      }
    }
    next();
  };
}
