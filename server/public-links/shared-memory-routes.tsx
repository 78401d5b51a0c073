import { Router } from 'express';
import type { AppContext } from '../context.ts';
import { dayInWords } from '../deliveries/day-in-words.ts';
import { NotFoundError } from '../errors.ts';
import { sendObject } from '../http/send-object.ts';
import { timeZoneOf } from '../http/time-zone.ts';
import { tokenParam } from '../http/validate.ts';
import { createVariant, variantContentType, variantKey } from '../images/image-variants.ts';
import { findSharedMemory, type SharedMemory } from './public-link-queries.ts';
import { publicUrl } from './public-url.ts';
import { displayNameOf } from '../users/display-name.ts';
import { sendNothingHere, sendPublicPage } from '../http/public-page.tsx';

/** The page of one photo for whoever has its link, and that photo without any metadata; nothing else of the account. */
export function sharedMemoryRoutes(
  context: Pick<AppContext, 'db' | 'storage' | 'imageDecoder' | 'publicAddress'>,
): Router {
  const { db, storage } = context;
  const router = Router();

  router.get('/p/:token', async (request, response) => {
    const token = tokenParam(request);
    const memory = await findSharedMemory(db, token);
    if (!memory) return sendNothingHere(response);
    const title = `A photo from ${displayNameOf(memory.owner)}`;
    const imagePath = `/p/${token}/photo.jpg`;
    sendPublicPage(response, {
      title,
      head: <OpenGraph memory={memory} title={title} url={publicUrl(context, { token })} />,
      children: <SharedPhoto memory={memory} imagePath={imagePath} />,
    });
  });

  router.get('/p/:token/photo.jpg', async (request, response) => {
    const memory = await findSharedMemory(db, tokenParam(request));
    if (!memory) throw new NotFoundError();
    response.set('X-Robots-Tag', 'noindex');
    return sendObject(request, response, storage, {
      key: variantKey(memory.image.id, 'shared'),
      etag: `${memory.image.id}-shared`,
      contentType: variantContentType('shared'),
      // The link may be taken back.
      cacheControl: 'private, no-cache',
      create: () => createVariant(context, memory.image, 'shared', 'somebody-waits'),
    });
  });

  return router;
}

/** How the link looks where it is sent on. */
function OpenGraph({ memory, title, url }: { memory: SharedMemory; title: string; url: string }) {
  return (
    <>
      <meta property="og:type" content="website" />
      <meta property="og:site_name" content="Mems Are Forever" />
      <meta property="og:title" content={memory.petName ? `${memory.petName} | ${title}` : title} />
      {memory.caption && <meta property="og:description" content={memory.caption} />}
      <meta property="og:url" content={url} />
      <meta property="og:image" content={`${url}/photo.jpg`} />
      <meta property="og:image:type" content="image/jpeg" />
      <meta name="twitter:card" content="summary_large_image" />
    </>
  );
}

function SharedPhoto({ memory, imagePath }: { memory: SharedMemory; imagePath: string }) {
  const { caption, petName, owner, image } = memory;
  const when = dayInWords(memory.memoryDay ?? memory.createdAt, timeZoneOf(owner));
  const alt = caption ?? (petName ? `${petName}, ${when}` : `A photo of ${when}`);
  return (
    <>
      <p className="print">
        <img src={imagePath} alt={alt} width={image.width} height={image.height} />
      </p>
      <h1 className={caption ? 'caption' : undefined} dir="auto">
        {caption ?? petName ?? 'A memory'}
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
