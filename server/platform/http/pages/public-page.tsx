import type { Response } from 'express';
import type { ReactNode } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { fontFaces, FONTS } from './fonts.ts';

interface PublicPageProps {
  title: string;
  head?: ReactNode;
  children: ReactNode;
}

/** A small page for people without an account, without scripts, hidden from search engines. */
function PublicPage({ title, head, children }: PublicPageProps) {
  return (
    <html lang="en">
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <meta name="color-scheme" content="light dark" />
        <title>{`${title} | Mems Are Forever`}</title>
        <link rel="icon" href="/favicon.svg" />
        {head}
        <style dangerouslySetInnerHTML={{ __html: STYLES }} />
      </head>
      <body>
        <header>
          <a href="/">
            <img src="/favicon.svg" alt="" width="28" height="28" />
            Mems Are Forever
          </a>
        </header>
        <main>{children}</main>
      </body>
    </html>
  );
}

/** Not cacheable, since a link can be revoked at any time. */
export function sendPublicPage(response: Response, page: PublicPageProps & { status?: number }): void {
  const { status = 200, ...props } = page;
  response
    .status(status)
    .set({ 'X-Robots-Tag': 'noindex', 'Cache-Control': 'no-store', 'Referrer-Policy': 'same-origin' })
    .type('html')
    .send(`<!doctype html>${renderToStaticMarkup(<PublicPage {...props} />)}`);
}

/** The same response for every invalid link, so that it does not reveal whether it ever existed. */
export function sendLinkNotFound(response: Response): void {
  sendPublicPage(response, {
    status: 404,
    title: 'Link not found',
    children: (
      <>
        <h1>This link no longer works</h1>
        <p>It may be incomplete, or the person who shared it may have stopped sharing.</p>
      </>
    ),
  });
}

/** The colors and fonts of client/src/app/theme.css, without the client's bundle. */
const STYLES = `${fontFaces()}
:root { --paper: #f7f0e4; --print: #fffdf8; --ink: #2e1f16; --muted: #6a5546; --hairline: #dfd0bb; --accent: #b0452a; --on-accent: #fffaf3;
  --shadow: 0 1px 2px rgb(70 45 25 / .16), 0 6px 16px -6px rgb(70 45 25 / .26); }
@media (prefers-color-scheme: dark) {
  :root { --paper: #1c1512; --print: #3a2e27; --ink: #f4e9db; --muted: #c0ad9b; --hairline: #43352c; --accent: #e78c68; --on-accent: #27110a;
    --shadow: 0 1px 2px rgb(0 0 0 / .4), 0 8px 18px -6px rgb(0 0 0 / .55); }
}
* { box-sizing: border-box; }
body { margin: 0; min-height: 100vh; display: flex; flex-direction: column; background: var(--paper); color: var(--ink);
  font: 1rem/1.625 ${FONTS.sans}; }
header { padding: .75rem 1.25rem; }
header a { display: inline-flex; gap: .625rem; align-items: center; min-height: 2.75rem; text-decoration: none;
  font: 600 1.25rem/1.75rem ${FONTS.display}; letter-spacing: -.025em; }
main { flex: 1; width: 100%; max-width: 40rem; margin: 0 auto; padding: 1.5rem 1.25rem 4rem; overflow-wrap: anywhere; }
h1 { margin: 0 0 1rem; font: 600 clamp(1.75rem, 1.3rem + 2vw, 2.5rem)/1.15 ${FONTS.display}; letter-spacing: -.02em; text-wrap: balance; }
h2 { margin: 2rem 0 .5rem; font: 600 1.25rem/1.4 ${FONTS.display}; }
p { margin: 0 0 1rem; }
.muted { color: var(--muted); }
a { color: inherit; text-underline-offset: .2em; }
button { min-height: 2.75rem; padding: .5rem 1.5rem; border: 0; border-radius: 999px; background: var(--accent); color: var(--on-accent);
  font: inherit; font-weight: 600; line-height: 1.5; cursor: pointer; }
:focus-visible { outline: 2px solid var(--ink); outline-offset: 3px; border-radius: 4px; }
fieldset { margin: 0 0 1.5rem; padding: 0; border: 0; }
legend { padding: 0; margin-bottom: .25rem; font-weight: 600; }
label { display: flex; gap: .75rem; align-items: center; min-height: 2.75rem; }
input { width: 1.25rem; height: 1.25rem; margin: 0; flex: none; accent-color: var(--accent); }
.print { margin: 0 0 1.5rem; padding: .5rem; background: var(--print); border-radius: 3px; box-shadow: var(--shadow);
  width: fit-content; max-width: 100%; margin-inline: auto; }
.print img { display: block; max-width: 100%; max-height: 75vh; width: auto; height: auto; border-radius: 2px; }
.caption { font: 1.375rem/1.4 ${FONTS.display}; letter-spacing: 0; white-space: pre-line; }
iframe.mail { width: 100%; height: 70vh; border: 1px solid var(--hairline); border-radius: 8px; background: #fff; }
pre { white-space: pre-wrap; overflow-wrap: anywhere; font-size: .875rem; }
ol.messages { padding: 0; list-style: none; } ol.messages li { padding: .75rem 0; border-top: 1px solid var(--hairline); } ol.messages .time { white-space: nowrap; }
`;
