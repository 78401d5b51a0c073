import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const LIST = '/api/memories?limit=100';
const PETS = '/api/pets?limit=100';
const CONFIG = '/api/config';

type Page = {
  page: string;
  /** What it requests with a session. */
  data: string[];
  /** What it requests without one. */
  publicData?: string[];
};

/** The pages with a first load worth shortening. Exactly the requests that the client sends, so that it uses the responses. */
const PAGES: Record<string, Page> = {
  '/gallery': { page: 'album/gallery', data: [LIST, PETS] },
  // Not its months, which need the header with the browser's time zone. The paths of its memories come with them.
  '/timeline': { page: 'album/timeline', data: [PETS] },
  '/pets': { page: 'album/pets', data: [PETS] },
  '/auth': { page: 'sign-in/auth', data: [], publicData: [CONFIG] },
};
const HOME: Page = { page: 'album/home', data: [LIST, PETS] };
const LANDING: Page = { page: 'landing', data: [], publicData: [CONFIG] };

/** Part of every page with a session. */
const SIGNED_IN = 'src/app/signed-in-header.tsx';

/** Vite's `.vite/manifest.json`. */
type Manifest = Record<string, { file: string; imports?: string[]; css?: string[] }>;

/**
 * index.html with links to the code and data of a page, so that the browser requests all at once instead of script by
 * script. Without a session cookie it says so, which saves a request that would be rejected. @returns null without a build
 */
export function loadPageHtml(
  folder: string,
): ((path: string, searchParams: string[], hasSession: boolean) => string) | null {
  const index = join(folder, 'index.html');
  if (!existsSync(index)) return null;
  const signedInHtml = readFileSync(index, 'utf8');
  const signedOutHtml = signedInHtml.replace('<html', '<html data-signed-out');
  const manifestFile = join(folder, '.vite/manifest.json');
  const manifest = existsSync(manifestFile)
    ? (JSON.parse(readFileSync(manifestFile, 'utf8')) as Manifest)
    : {};
  const firstTiles = manifest['src/first-tiles.ts']?.file;
  const codeOf = (...entries: string[]) => linksToCode(manifest, entries, signedInHtml);
  return (path, searchParams, hasSession) => {
    const html = hasSession ? signedInHtml : signedOutHtml;
    const found = path === '/' ? (hasSession ? HOME : LANDING) : PAGES[path];
    if (!found) return html;
    const isFiltered = searchParams.some((name) => name !== 'view');
    const data = !hasSession
      ? (found.publicData ?? [])
      : isFiltered
        ? ['/api/user']
        : ['/api/user', ...found.data];
    const page = `src/pages/${found.page}-page.tsx`;
    const links = [...data.map(linkToData), ...(hasSession ? codeOf(page, SIGNED_IN) : codeOf(page))];
    const scripts = firstTiles && data.includes(LIST) ? linkToScript(firstTiles) : '';
    return (
      html
        .replace('</head>', () => `${links.join('')}</head>`)
        // Modules run in this order.
        .replace('<script type="module"', (app) => `${scripts}${app}`)
    );
  };
}

function linkToScript(file: string): string {
  return `<script type="module" crossorigin src="/${file}"></script>`;
}

/** With the mode and credentials of the client's own requests: otherwise the browser would not use the response. */
function linkToData(path: string): string {
  return `<link rel="preload" as="fetch" crossorigin="use-credentials" href="${path.replaceAll('&', '&amp;')}">`;
}

/** Without those that index.html links to. */
function linksToCode(manifest: Manifest, names: string[], html: string): string[] {
  const entries = new Set(names.filter((name) => manifest[name]));
  // Grows while it is iterated.
  for (const name of entries) for (const imported of manifest[name]?.imports ?? []) entries.add(imported);
  const chunks = [...entries].flatMap((name) => manifest[name] ?? []);
  return [
    ...chunks
      .filter(({ file }) => !html.includes(file))
      .map(({ file }) => `<link rel="modulepreload" crossorigin href="/${file}">`),
    ...[...new Set(chunks.flatMap(({ css = [] }) => css))]
      .filter((file) => !html.includes(file))
      .map((file) => `<link rel="stylesheet" crossorigin href="/${file}">`),
  ];
}
