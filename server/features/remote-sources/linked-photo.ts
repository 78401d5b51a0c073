import { basename, extname } from 'node:path';
import type { Readable } from 'node:stream';
import { REMOTE_ERRORS, type LinkedPhoto } from '#shared/transfers/remote-source';
import { MAX_UPLOAD_BYTES } from '#shared/transfers/upload';
import type { AppContext } from '../../platform/context.ts';
import { AppError, TooLargeError } from '../../platform/errors.ts';
import {
  GetError,
  getPublicUrl,
  type GetErrorReason,
  type GetLimits,
  type PublicResponse,
} from '../../platform/public-http/get-public-url.ts';
import { PHOTO_TOO_LARGE } from '../storage/photo-size.ts';

/** A photo of 10 MB needs 350 KB/s. Half a minute is as long as a person waits. */
export const DOWNLOAD_LIMITS: GetLimits = {
  maxBytes: MAX_UPLOAD_BYTES,
  maxRedirects: 5,
  headersMs: 10_000,
  bodyMs: 30_000,
  window: { ms: 5_000, minBytes: 100_000 },
};

const PREVIEW_WIDTH = 400;
const MAX_NAME_LENGTH = 120;

/** Downloads the photo and describes it. Stores nothing. @throws AppError */
export async function describeLinkedPhoto(
  { imageDecoder }: Pick<AppContext, 'imageDecoder'>,
  userId: string,
  address: string,
  limits: GetLimits,
  cancelled: AbortSignal,
): Promise<LinkedPhoto> {
  const { url, headers, body } = await openLinkedPhoto(address, limits, cancelled);
  const bytes = await readAll(body);
  const { contentType, preview } = await imageDecoder.withDecodeSlot(userId, async () => {
    const image = await imageDecoder.inspect(userId, bytes);
    const renderings = [{ format: 'webp' as const, width: PREVIEW_WIDTH }];
    const [rendered] = await imageDecoder.render(userId, bytes, renderings, 'interactive');
    return { contentType: image.contentType, preview: rendered };
  });
  return {
    name: toFileName(url, headers, contentType),
    type: contentType,
    size: bytes.length,
    preview: `data:image/webp;base64,${preview?.toString('base64') ?? ''}`,
  };
}

/** The body fails with an AppError when it is too large or too slow. @throws AppError */
export async function openLinkedPhoto(
  address: string,
  limits: GetLimits,
  cancelled?: AbortSignal,
): Promise<PublicResponse> {
  const response = await getPublicUrl(address, limits, cancelled).catch((error: unknown) => {
    throw toAppError(error);
  });
  const rejection = toRejection(response);
  if (!rejection) return response;
  response.body.destroy();
  throw rejection;
}

function toRejection({ status, headers }: PublicResponse): AppError | null {
  if (status === 404 || status === 410) return websiteError(REMOTE_ERRORS.notFound);
  if (status === 401 || status === 403 || status === 451) return websiteError(REMOTE_ERRORS.rejected);
  if (status !== 200) return websiteError(REMOTE_ERRORS.unreachable);
  const type = (headers['content-type'] ?? '').toLowerCase();
  if (/^(text\/html|application\/xhtml)/.test(type)) return new AppError(415, REMOTE_ERRORS.page);
  if (type.startsWith('video/')) return new AppError(415, REMOTE_ERRORS.video);
  if (Number(headers['content-length'] ?? 0) > MAX_UPLOAD_BYTES) return new TooLargeError(PHOTO_TOO_LARGE);
  return null;
}

async function readAll(body: Readable): Promise<Buffer> {
  const chunks: Buffer[] = [];
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) chunks.push(chunk);
  } catch (error) {
    throw toAppError(error);
  }
  return Buffer.concat(chunks);
}

/** 424: the other website is at fault, and a retry would ask it the same again. */
function websiteError(message: string): AppError {
  return new AppError(424, message);
}

const ERRORS: Record<GetErrorReason, AppError> = {
  invalid: new AppError(422, REMOTE_ERRORS.notALink),
  'forbidden-address': new AppError(422, REMOTE_ERRORS.forbiddenAddress, {
    security: { event: 'refused-address' },
  }),
  'forbidden-port': new AppError(422, REMOTE_ERRORS.forbiddenPort, {
    security: { event: 'refused-address' },
  }),
  redirects: websiteError(REMOTE_ERRORS.redirects),
  unreachable: websiteError(REMOTE_ERRORS.unreachable),
  'too-slow': websiteError(REMOTE_ERRORS.tooSlow),
  'too-large': new TooLargeError(PHOTO_TOO_LARGE),
};

function toAppError(error: unknown): unknown {
  return error instanceof GetError ? toLinkError(error.reason) : error;
}

export function toLinkError(reason: GetErrorReason): AppError {
  return ERRORS[reason];
}

const EXTENSIONS: Record<string, string> = {
  'image/jpeg': '.jpg',
  'image/png': '.png',
  'image/webp': '.webp',
  'image/avif': '.avif',
  'image/gif': '.gif',
  'image/heic': '.heic',
};

/** The server's name for the file or the URL's, with the extension of what it really is. */
function toFileName(url: URL, headers: PublicResponse['headers'], contentType: string): string {
  const given = fileNameOf(headers['content-disposition']) ?? decode(basename(url.pathname));
  const safe = basename(given.replaceAll('\\', '/')).replace(/[\u0000-\u001f\u007f]/g, '');
  const name = safe.slice(0, safe.length - extname(safe).length).slice(0, MAX_NAME_LENGTH) || 'photo';
  return `${name}${EXTENSIONS[contentType] ?? extname(safe)}`;
}

/** RFC 6266, without the rare charsets. */
function fileNameOf(disposition = ''): string | null {
  const encoded = /filename\*\s*=\s*utf-8'[^']*'([^;\s]+)/i.exec(disposition)?.[1];
  if (encoded) return decode(encoded);
  const plain = /filename\s*=\s*(?:"([^"]*)"|([^;\s]+))/i.exec(disposition);
  return plain?.[1] ?? plain?.[2] ?? null;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
