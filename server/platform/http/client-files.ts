import { join } from 'node:path';
import express, { Router } from 'express';
import { NotFoundError } from '../errors.ts';

/** The built client: its files, and its page at every address that could be one of its screens. */
export function clientFiles(folder: string): Router {
  const router = Router();
  router.use(
    '/assets',
    express.static(join(folder, 'assets'), { immutable: true, maxAge: '1y', fallthrough: false }),
  );
  router.use(express.static(folder, { index: false, maxAge: 0 }));

  router.get('/{*path}', (request, response, next) => {
    // An address with an extension is a file that is not there, not a screen.
    const isScreen =
      !/^\/+(api|objects|uploads)(\/|$)/.test(request.path) && !/\.[a-z0-9]+$/i.test(request.path);
    if (!isScreen) throw new NotFoundError();
    response.set('Cache-Control', 'no-cache');
    response.sendFile('index.html', { root: folder, cacheControl: false }, (error) => error && next(error));
  });

  return router;
}
