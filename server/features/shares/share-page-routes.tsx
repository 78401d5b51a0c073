import { Router, type Request, type Response } from 'express';
import type { AppContext } from '../../platform/context.ts';
import { formatDay } from '../../platform/time/format-day.ts';
import { NotFoundError } from '../../platform/errors.ts';
import { sendObject } from '../../platform/http/responses/send-object.ts';
import { tokenParam } from '../../platform/http/validate.ts';
import { createVariants, previewSize, variantContentType, variantKey } from '../images/image-variants.ts';
import { findSharedPhoto, type SharedPhoto } from './share-queries.ts';
import { shareUrl } from '../../platform/share-url.ts';
import { getDisplayName, userTimeZone } from '../accounts/users/user-queries.ts';
import { sendLinkNotFound, sendPublicPage } from '../../platform/http/pages/public-page.tsx';

/** Public pages of shares, and their images without metadata. They expose nothing else of the account. */
export function sharePageRoutes(
  context: Pick<AppContext, 'db' | 'storage' | 'imageDecoder' | 'baseUrl' | 'securityLog' | 'diskSpace'>,
): Router {
  const { db, storage, securityLog } = context;
  const router = Router();

  router.get('/p/:token', async (request, response) => {
    const token = tokenParam(request);
    const photo = await findSharedPhoto(db, token);
    if (!photo) {
      recordUnknownLink(request);
      return sendLinkNotFound(response);
    }
    const title = `${photo.isCaricature ? 'A caricature' : 'A photo'} from ${getDisplayName(photo.owner)}`;
    const imagePath = `/p/${token}/photo.jpg`;
    sendPublicPage(response, {
      title,
      head: <OpenGraph photo={photo} title={title} url={shareUrl(context, { token })} />,
      children: <PhotoWithCaption photo={photo} imagePath={imagePath} />,
    });
  });

  router.get('/p/:token/photo.jpg', (request, response) => sendPhoto(request, response, 'shared'));

  router.get('/p/:token/preview.jpg', (request, response) => sendPhoto(request, response, 'preview'));

  return router;

  async function sendPhoto(
    request: Request,
    response: Response,
    variant: 'shared' | 'preview',
  ): Promise<void> {
    const photo = await findSharedPhoto(db, tokenParam(request));
    if (!photo) {
      recordUnknownLink(request);
      throw new NotFoundError();
    }
    response.set('X-Robots-Tag', 'noindex');
    return sendObject(request, response, storage, {
      key: variantKey(photo.image.id, variant, photo.image.copyVersion),
      etag: `${photo.image.id}-${variant}-${photo.image.copyVersion}`,
      contentType: variantContentType(variant),
      create: () => createVariants(context, photo.image, [variant], 'interactive'),
    });
  }

  function recordUnknownLink(request: Request): void {
    securityLog.record('unknown-link', 'failure', { request, details: { of: 'share' } });
  }
}

function OpenGraph({ photo, title, url }: { photo: SharedPhoto; title: string; url: string }) {
  const { width, height } = previewSize(photo.image);
  return (
    <>
      <meta property="og:type" content="website" />
      <meta property="og:site_name" content="Mems Are Forever" />
      <meta property="og:title" content={photo.petName ? `${photo.petName} | ${title}` : title} />
      {photo.caption && <meta property="og:description" content={photo.caption} />}
      <meta property="og:url" content={url} />
      <meta property="og:image" content={`${url}/preview.jpg`} />
      <meta property="og:image:type" content="image/jpeg" />
      <meta property="og:image:width" content={String(width)} />
      <meta property="og:image:height" content={String(height)} />
      <meta name="twitter:card" content="summary_large_image" />
    </>
  );
}

function PhotoWithCaption({ photo, imagePath }: { photo: SharedPhoto; imagePath: string }) {
  const { caption, petName, owner, image, isCaricature } = photo;
  const day = formatDay(photo.memoryDay ?? photo.createdAt, userTimeZone(owner));
  const caricatureTitle = petName ? `${petName} as a cartoon` : 'A caricature';
  const photoTitle = petName ? `${petName}, ${day}` : `A photo from ${day}`;
  const alt = caption ?? (isCaricature ? caricatureTitle : photoTitle);
  return (
    <>
      <p className="print">
        <img src={imagePath} alt={alt} width={image.width} height={image.height} />
      </p>
      <h1 className={caption ? 'caption' : undefined} dir="auto">
        {caption ?? (isCaricature ? caricatureTitle : (petName ?? 'A memory'))}
      </h1>
      <p className="muted">
        {caption && petName && (
          <>
            <bdi>{petName}</bdi> ·{' '}
          </>
        )}
        {day}
        <br />
        Shared by <bdi>{getDisplayName(owner)}</bdi>
      </p>
    </>
  );
}
