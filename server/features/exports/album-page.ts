import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { formatLongDay } from '#shared/dates/calendar-date';
import { projectRoot } from '../../platform/process/project-root.ts';
import type { AlbumItem, AlbumSpool } from './album-spool.ts';
import type { ImageOfExport } from './export-data-queries.ts';
import type { ExportData } from './export-format.ts';

const FOLDER = join(projectRoot, 'server/features/exports/album-page');
const FONTS = {
  'Fraunces Variable': '@fontsource-variable/fraunces/files/fraunces-latin-wght-normal.woff2',
  'Figtree Variable': '@fontsource-variable/figtree/files/figtree-latin-wght-normal.woff2',
};
/** In album.html, before the data. */
const DATA_START = '<script type="application/json" id="album">';
const require = createRequire(import.meta.url);

/** The 400 px tile. */
export function previewPath({ id }: Pick<ImageOfExport, 'id'>): string {
  return `previews/${id}.webp`;
}

/** Of a photo that browsers do not show. */
export function largePreviewPath({ id }: Pick<ImageOfExport, 'id'>): string {
  return `previews/${id}.jpg`;
}

/** index.html: a gallery that opens from the disk, with everything but the photos inside. */
export async function* writeAlbumPage(
  spool: AlbumSpool,
  { ownerName, exportedAt }: { ownerName: string; exportedAt: Date },
): AsyncGenerator<string> {
  const [html = '', css = '', js = ''] = await Promise.all(
    ['album.html', 'album.css', 'album.js'].map((name) => readFile(join(FOLDER, name), 'utf8')),
  );
  const styles = (await fontFaces()) + css;
  const csp = [
    "default-src 'none'",
    // The first one for a copy on a web server.
    "img-src 'self' file:",
    'font-src data:',
    `style-src '${hashOf(styles)}'`,
    `script-src '${hashOf(js)}'`,
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
  const values: Record<string, string> = {
    '{{csp}}': csp,
    '{{title}}': escapeHtml(`${ownerName}’s album`),
    '<link rel="stylesheet" href="album.css" />': `<style>${styles}</style>`,
    '<script src="album.js"></script>': `<script>${js}</script>`,
  };
  const fill = (text: string) =>
    Object.entries(values).reduce((filled, [place, value]) => filled.replaceAll(place, () => value), text);
  const [start = '', end = ''] = html.split(DATA_START);
  yield fill(start) + DATA_START;
  yield* writeData(spool, exportedAt);
  yield fill(end);
}

async function* writeData(spool: AlbumSpool, exportedAt: Date): AsyncGenerator<string> {
  yield `{"exportedAt":${toInlineJson(exportedAt)},"pets":[`;
  yield* joined(spool, (item) => item.list === 'pets' && toPet(item));
  yield '],"items":[';
  yield* joined(spool, (item) => {
    if (item.list === 'memories') return toMemory(item);
    return item.list === 'caricatures' && toCaricature(item);
  });
  yield ']}';
}

async function* joined(
  spool: AlbumSpool,
  select: (item: AlbumItem) => object | false,
): AsyncGenerator<string> {
  let separator = '';
  for await (const item of spool.read()) {
    const selected = select(item);
    if (!selected) continue;
    yield separator + toInlineJson(selected);
    separator = ',\n';
  }
}

type ItemOf<List extends AlbumItem['list']> = Extract<AlbumItem, { list: List }>;

function toPet({ value: pet, image }: ItemOf<'pets'>): object {
  const facts = [
    pet.breed ?? pet.species,
    pet.age,
    pet.birthdayOrGotchaDay && formatLongDay(pet.birthdayOrGotchaDay),
  ].filter(Boolean);
  const files = pet.picture && image ? [previewPath(image), pet.picture.path] : [];
  return { id: pet.id, name: pet.name, facts: facts.join(' · '), files };
}

function toMemory({ value, image }: ItemOf<'memories'>): object {
  return {
    kind: 'memory',
    id: value.id,
    caption: value.caption,
    tags: value.tags,
    pet: value.petId,
    date: value.memoryDate ?? value.addedDay,
    liked: value.isLiked,
    deleted: value.deletedAt !== null,
    ...toFiles(value.file, image),
  };
}

function toCaricature({ value, image }: ItemOf<'caricatures'>): object {
  return {
    kind: 'caricature',
    id: value.id,
    caption: null,
    tags: [],
    pet: value.petId,
    date: value.createdAt.slice(0, 10),
    liked: false,
    deleted: false,
    ...toFiles(value.file, image),
  };
}

function toFiles(file: ExportData['memories'][number]['file'], image: ImageOfExport | null): object {
  return {
    file: file.path,
    preview: image ? previewPath(image) : file.path,
    larger: image?.contentType === 'image/heic' ? [largePreviewPath(image)] : [],
    width: file.width,
    height: file.height,
  };
}

async function fontFaces(): Promise<string> {
  const faces = Object.entries(FONTS).map(async ([family, file]) => {
    const data = (await readFile(require.resolve(file))).toString('base64');
    return `@font-face{font-family:'${family}';font-weight:100 900;src:url(data:font/woff2;base64,${data})}\n`;
  });
  return (await Promise.all(faces)).join('');
}

function hashOf(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`;
}

/** Cannot end the script element. */
function toInlineJson(value: unknown): string {
  return JSON.stringify(value).replaceAll('<', '\\u003c');
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
}
