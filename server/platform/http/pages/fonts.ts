import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import express, { Router } from 'express';

/** The client's two typefaces (client/src/app/theme.css), for pages that its bundle does not style. */
export const FONTS = {
  display: "'Fraunces Variable', Georgia, 'Times New Roman', serif",
  sans: "'Figtree Variable', system-ui, -apple-system, 'Segoe UI', sans-serif",
};

const require = createRequire(import.meta.url);
const STYLESHEETS = ['@fontsource-variable/fraunces/opsz.css', '@fontsource-variable/figtree/wght.css'].map(
  (name) => require.resolve(name),
);

/** Their `@font-face` rules. */
export function fontFaces(): string {
  const rules = STYLESHEETS.map((file) => readFileSync(file, 'utf8')).join('\n');
  return rules.replace(/\/\*.*?\*\//gs, '').replaceAll('url(./files/', 'url(/fonts/');
}

/** GET /fonts/<file> */
export function fontRoutes(): Router {
  const router = Router();
  for (const stylesheet of STYLESHEETS) {
    const files = join(dirname(stylesheet), 'files');
    router.use('/fonts', express.static(files, { index: false, maxAge: '30d' }));
  }
  return router;
}
