import { pipeline } from 'node:stream/promises';
import { createDeflateRaw } from 'node:zlib';
import type { AppContext } from '../../platform/context.ts';
import { TILE_WIDTH } from '../../platform/image-decoder/decoder-process/decoder-protocol.ts';
import { isShownByBrowsers, variantKey } from '../images/image-variants.ts';
import { largePreviewPath, previewPath, writeAlbumPage } from './album-page.ts';
import { openAlbumSpool, type AlbumItem, type AlbumSpool } from './album-spool.ts';
import type { ImageOfExport } from './export-data-queries.ts';
import { withExtension } from './export-file-names.ts';
import { EXPORT_FORMAT, EXPORT_LISTS, EXPORT_VERSION, exportJsonSchema } from './export-format.ts';
import { readAlbum, type Album } from './read-album.ts';
import { writeXmpSidecar } from './xmp-sidecar.ts';
import { openZipPart, type NewFile, type ZipPart } from './zip-part.ts';

type ExportSteps = {
  /** @returns the key of the part's object. @throws to stop */
  onPart(number: number, bytesLeft: number): Promise<string>;
  onPartStored(number: number): Promise<void>;
  /** After each photo. @throws to stop */
  onProgress(percent: number): Promise<void>;
};

type Context = Pick<AppContext, 'config' | 'db' | 'storage' | 'logger' | 'diskSpace'>;
type DatedAlbum = Album & { exportedAt: Date };

/**
 * Writes all that an account holds into zips in the object storage. In memory are one photo and a page of the database. A photo
 * that is deleted meanwhile is left out. False if the account was deleted.
 */
export async function writeExport(
  context: Context,
  { ownerId, exportedAt }: { ownerId: string; exportedAt: Date },
  steps: ExportSteps,
): Promise<boolean> {
  const spool = await openAlbumSpool(context.diskSpace);
  try {
    const album = await readAlbum(context, ownerId, spool);
    if (!album) return false;
    await writeParts(context, { ...album, exportedAt }, spool, steps);
    return true;
  } finally {
    await spool.close();
  }
}

async function writeParts(
  context: Context,
  album: DatedAlbum,
  spool: AlbumSpool,
  steps: ExportSteps,
): Promise<void> {
  const { storage, config } = context;
  const missing: string[] = [];
  const compress = !(await isTooCompressible(writeData(album, spool)));
  let bytesDone = 0;
  let number = 0;
  let part: ZipPart | null = null;

  async function openPart(): Promise<ZipPart> {
    number++;
    const key = await steps.onPart(number, album.imageBytes - bytesDone);
    part = openZipPart((zip) => storage.writeStream(key, zip, 'application/zip'));
    await part.addText('README.txt', textOf(readme(album, number)), album.exportedAt);
    // In each, so that each can be imported without the others.
    await part.addText('data.json', writeData(album, spool), album.exportedAt, { compress });
    return part;
  }

  async function closePart(open: ZipPart): Promise<void> {
    await open.close();
    part = null;
    await steps.onPartStored(number);
  }

  try {
    let current = await openPart();
    await current.addText('data.schema.json', textOf(toJson(exportJsonSchema())), album.exportedAt);
    await current.addText('index.html', writeAlbumPage(spool, album), album.exportedAt, { compress });
    for await (const item of spool.read()) {
      if (!item.image) continue;
      const files = await readFiles(context, album, item, item.image);
      if (!files) missing.push(pathOf(item));
      else if (!current.hasRoomFor(files, config.limits.exportPartBytes)) {
        await closePart(current);
        current = await openPart();
      }
      for (const file of files ?? []) await current.addFile(file, new Date(item.value.createdAt));
      bytesDone += item.image.byteSize + (item.list === 'pets' ? (item.original?.byteSize ?? 0) : 0);
      await steps.onProgress(Math.floor((100 * bytesDone) / album.imageBytes));
    }
    if (missing.length > 0) {
      // The account's owner or a purge deleted them meanwhile; anything else is a loss that the operator must see.
      context.logger.warn({ count: missing.length }, 'Photos were missing in an export');
      await current.addText('missing.txt', textOf(`${MISSING}\n\n${missing.join('\n')}\n`), album.exportedAt);
    }
    await closePart(current);
  } catch (error) {
    await (part as ZipPart | null)?.abort(error instanceof Error ? error : new Error(String(error)));
    throw error;
  }
}

/** The original and what is beside it. Null if it is gone. */
async function readFiles(
  { storage }: Context,
  album: Album,
  item: AlbumItem,
  image: ImageOfExport,
): Promise<NewFile[] | null> {
  const original = await storage.read(image.objectKey);
  if (!original) return null;
  const path = pathOf(item);
  const files: NewFile[] = [{ path, bytes: original }];
  if (item.list === 'pets' && item.original && item.value.pictureOriginal) {
    const photo = await storage.read(item.original.objectKey);
    if (photo) files.push({ path: item.value.pictureOriginal.path, bytes: photo });
  }
  if (item.list === 'memories') {
    const { caption, tags, petId, memoryDate, addedDay, isLiked } = item.value;
    const petName = (petId && album.petNames.get(petId)) ?? null;
    const xmp = writeXmpSidecar({ caption, tags, petName, date: memoryDate ?? addedDay, isLiked });
    files.push({ path: withExtension(path, 'xmp'), bytes: Buffer.from(xmp) });
  }
  const preview = await storage.read(variantKey(image.id, TILE_WIDTH, image.copyVersion));
  if (preview) files.push({ path: previewPath(image), bytes: preview });
  const large = isShownByBrowsers(image)
    ? null
    : await storage.read(variantKey(image.id, 'full', image.copyVersion));
  if (large) files.push({ path: largePreviewPath(image), bytes: large });
  return files;
}

function pathOf(item: AlbumItem): string {
  if (item.list === 'contacts') return '';
  return (item.list === 'pets' ? item.value.picture?.path : item.value.file.path) ?? '';
}

async function* writeData(album: DatedAlbum, spool: AlbumSpool): AsyncGenerator<string> {
  const head = {
    $schema: './data.schema.json',
    format: EXPORT_FORMAT,
    version: EXPORT_VERSION,
    exportedAt: album.exportedAt,
    user: album.user,
  };
  yield toJson(head).replace(/\n\}\n$/, '');
  for (const list of EXPORT_LISTS) {
    yield `,\n  "${list}": [`;
    let separator = '\n';
    for await (const item of spool.read()) {
      if (item.list !== list) continue;
      yield `${separator}    ${JSON.stringify(item.value)}`;
      separator = ',\n';
    }
    yield '\n  ]';
  }
  yield '\n}\n';
}

/** An import rejects what would become more than 200 times as large, which captions that repeat a word would. */
async function isTooCompressible(texts: AsyncIterable<string>): Promise<boolean> {
  let byteSize = 0;
  let compressedSize = 0;
  async function* counted() {
    for await (const text of texts) {
      byteSize += Buffer.byteLength(text);
      yield text;
    }
  }
  await pipeline(counted, createDeflateRaw(), async (compressed: AsyncIterable<Buffer>) => {
    for await (const chunk of compressed) compressedSize += chunk.length;
  });
  return byteSize > 100 * compressedSize;
}

function toJson(value: object): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

// eslint-disable-next-line @typescript-eslint/require-await
async function* textOf(text: string): AsyncGenerator<string> {
  yield text;
}

const MISSING =
  'These photos could not be included. They were deleted while the export was made, or could not be found:';

function readme({ ownerName, exportedAt }: DatedAlbum, number: number): string {
  return `${ownerName}'s album, exported from Mems Are Forever on ${exportedAt.toISOString().slice(0, 10)}. Part ${number}.

If there are several parts, extract all of them into one folder. Then open index.html in part 1 to browse, search and print your album.
It works without the internet.

  index.html        your album, for any browser
  photos            your photos as you added them, by pet and year. The .xmp beside a photo has its caption, tags, pet and
                    date, for photo programs. A liked photo has five stars.
  recently deleted  photos that were in the trash
  pets              pictures of your pets, and the photos that they were cropped from
  caricatures       your caricatures
  previews          small copies of the photos, for index.html
  data.json         everything as data, for programs: your profile, pets, memories, contacts and caricatures. data.schema.json
                    describes it.

Not included: your password, passkeys, authenticator app, recovery codes, connected sign-ins and devices; your address for photos by
email; shared links, which work only where they were made; the history of emails to your contacts, messages that wait for
your approval, and recent activity.
`;
}
