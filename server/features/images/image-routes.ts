import { Router, type Request, type Response } from 'express';
import * as z from 'zod/mini';
import { IMAGE_WIDTHS } from '#shared/photos/image-widths';
import type { AppContext } from '../../platform/context.ts';
import { NotFoundError } from '../../platform/errors.ts';
import { currentUser, requireUser } from '../accounts/sessions/access/require-user.ts';
import { tileCaching } from '../../platform/http/responses/cache-control.ts';
import { sendObject } from '../../platform/http/responses/send-object.ts';
import { idParam, parseQuery } from '../../platform/http/validate.ts';
import { findImage, type ImageRow } from './image-queries.ts';
import {
  createVariants,
  isShownByBrowsers,
  variantContentType,
  variantKey,
  type Variant,
} from './image-variants.ts';

const ImageQuery = z.object({
  w: z.optional(
    z.pipe(
      z.enum(IMAGE_WIDTHS.map(String) as [string, ...string[]], {
        error: `w must be one of ${IMAGE_WIDTHS.join(', ')}`,
      }),
      z.transform((text) => IMAGE_WIDTHS.find((width) => String(width) === text) ?? IMAGE_WIDTHS[0]),
    ),
  ),
});

function etagOf({ id, copyVersion }: ImageRow, variant: Variant): string {
  return copyVersion === 1 ? `${id}-${variant}` : `${id}-${variant}-${copyVersion}`;
}

const MAX_TILE_WIDTH = 800;

const EXTENSIONS: Record<string, string> = {
  'image/jpeg': 'jpg',
  'image/png': 'png',
  'image/webp': 'webp',
  'image/avif': 'avif',
  'image/gif': 'gif',
  'image/heic': 'heic',
};

export function imageRoutes(
  context: Pick<AppContext, 'db' | 'storage' | 'imageDecoder' | 'diskSpace'>,
): Router {
  const { db, storage } = context;
  const router = Router();

  router.get('/objects/:id', requireUser, async (request, response) => {
    const image = await getImage(request);
    const { w: width } = parseQuery(request, ImageQuery);
    if (width !== undefined) return sendVariant(request, response, image, width);
    return isShownByBrowsers(image)
      ? sendOriginal(request, response, image)
      : sendVariant(request, response, image, 'full');
  });

  router.get('/objects/:id/original', requireUser, async (request, response) => {
    const image = await getImage(request);
    response.attachment(`${image.id}.${EXTENSIONS[image.contentType] ?? 'bin'}`);
    return sendOriginal(request, response, image);
  });

  return router;

  async function getImage(request: Request): Promise<ImageRow> {
    const image = await findImage(db, currentUser(request).id, idParam(request));
    if (!image) throw new NotFoundError();
    return image;
  }

  function sendOriginal(request: Request, response: Response, image: ImageRow): Promise<void> {
    const key = image.objectKey;
    return sendObject(request, response, storage, { key, etag: image.id, contentType: image.contentType });
  }

  /** The widths of the gallery, also on dense screens. */
  function isTile(variant: Variant): boolean {
    return typeof variant === 'number' && variant <= MAX_TILE_WIDTH;
  }

  function sendVariant(
    request: Request,
    response: Response,
    image: ImageRow,
    variant: Variant,
  ): Promise<void> {
    return sendObject(request, response, storage, {
      key: variantKey(image.id, variant, image.copyVersion),
      etag: etagOf(image, variant),
      contentType: variantContentType(variant),
      isSmall: variant !== 'full',
      ...(isTile(variant) && { cacheControl: tileCaching(request) }),
      create: () => createVariants(context, image, [variant], 'interactive'),
    });
  }
}
