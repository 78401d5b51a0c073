import { Router } from 'express';
import type { AppContext } from '../../platform/context.ts';
import { dayInWords } from '../deliveries/format-day.ts';
import { NotFoundError } from '../../platform/errors.ts';
import { sendObject } from '../../platform/http/send-object.ts';
import { userTimeZone } from '../users/user-queries.ts';
import { tokenParam } from '../../platform/http/validate.ts';
import { createVariant, variantContentType, variantKey } from '../images/image-variants.ts';
import { findSharedPicture, type SharedPicture } from './share-queries.ts';
import { publicUrl } from './share-url.ts';
import { displayNameOf } from '../users/display-name.ts';
import { sendLinkNotFound, sendPublicPage } from '../../platform/http/public-page.tsx';

/** The page of one picture for whoever has its link, and that picture without any metadata; nothing else of the account. */
export function sharedPictureRoutes(
  context: Pick<AppContext, 'db' | 'storage' | 'imageDecoder' | 'baseUrl'>,
): Router {
  const { db, storage } = context;
  const router = Router();

  router.get('/p/:token', async (request, response) => {
    const token = tokenParam(request);
    const picture = await findSharedPicture(db, token);
    if (!picture) return sendLinkNotFound(response);
    const title = `${picture.isCaricature ? 'A caricature' : 'A photo'} from ${displayNameOf(picture.owner)}`;
    const imagePath = `/p/${token}/photo.jpg`;
    sendPublicPage(response, {
      title,
      head: <OpenGraph picture={picture} title={title} url={publicUrl(context, { token })} />,
      children: <PictureWithStory picture={picture} imagePath={imagePath} />,
    });
  });

  router.get('/p/:token/photo.jpg', async (request, response) => {
    const picture = await findSharedPicture(db, tokenParam(request));
    if (!picture) throw new NotFoundError();
    response.set('X-Robots-Tag', 'noindex');
    return sendObject(request, response, storage, {
      key: variantKey(picture.image.id, 'shared'),
      etag: `${picture.image.id}-shared`,
      contentType: variantContentType('shared'),
      // The link may be taken back.
      cacheControl: 'private, no-cache',
      create: () => createVariant(context, picture.image, 'shared', 'interactive'),
    });
  });

  return router;
}

/** How the link looks where it is sent on. */
function OpenGraph({ picture, title, url }: { picture: SharedPicture; title: string; url: string }) {
  return (
    <>
      <meta property="og:type" content="website" />
      <meta property="og:site_name" content="Mems Are Forever" />
      <meta property="og:title" content={picture.petName ? `${picture.petName} | ${title}` : title} />
      {picture.caption && <meta property="og:description" content={picture.caption} />}
      <meta property="og:url" content={url} />
      <meta property="og:image" content={`${url}/photo.jpg`} />
      <meta property="og:image:type" content="image/jpeg" />
      <meta name="twitter:card" content="summary_large_image" />
    </>
  );
}

function PictureWithStory({ picture, imagePath }: { picture: SharedPicture; imagePath: string }) {
  const { caption, petName, owner, image, isCaricature } = picture;
  const when = dayInWords(picture.memoryDay ?? picture.createdAt, userTimeZone(owner));
  const drawn = petName ? `${petName} as a cartoon` : 'A caricature';
  const photographed = petName ? `${petName}, ${when}` : `A photo of ${when}`;
  const alt = caption ?? (isCaricature ? drawn : photographed);
  return (
    <>
      <p className="print">
        <img src={imagePath} alt={alt} width={image.width} height={image.height} />
      </p>
      <h1 className={caption ? 'caption' : undefined} dir="auto">
        {caption ?? (isCaricature ? drawn : (petName ?? 'A memory'))}
      </h1>
      <p className="muted">
        {caption && petName && (
          <>
            <bdi>{petName}</bdi> ·{' '}
          </>
        )}
        {when}
        <br />
        Shared by <bdi>{displayNameOf(owner)}</bdi>
      </p>
    </>
  );
}
