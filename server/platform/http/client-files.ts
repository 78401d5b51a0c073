import { join } from 'node:path';
import express, { Router } from 'express';
import { NotFoundError } from '../errors.ts';

/** Serves the built client, with index.html for all paths of its pages. */
export function clientFiles(folder: string): Router {
  const router = Router();
  router.use(
    '/assets',
    express.static(join(folder, 'assets'), { immutable: true, maxAge: '1y', fallthrough: false }),
  );
  router.use(express.static(folder, { index: false, maxAge: 0 }));

  router.get('/{*path}', (request, response, next) => {
    // A path with an extension is a missing file.
    const isPage =
      !/^\/+(api|objects|uploads)(\/|$)/.test(request.path) && !/\.[a-z0-9]+$/i.test(request.path);
    if (!isPage) throw new NotFoundError();
    response.set('Cache-Control', 'no-cache');
    response.sendFile('index.html', { root: folder, cacheControl: false }, (error) => error && next(error));
  });

  return router;
}
