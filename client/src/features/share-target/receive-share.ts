import { paths, SHARED_PARAM, type ShareResult } from '#shared/api/page-paths';
import { storeReceived } from './received-photos.ts';

const MAX_SHARED_PHOTOS = 100;
/** The name in the manifest. */
const FIELD = 'photos';

/** Stores what a share sheet posts, also offline, and leads to the page that asks about it. */
export async function receiveShare(request: Request): Promise<Response> {
  if (isFromOtherSite(request)) return redirect('other-site');
  return redirect(await store(request).catch((): ShareResult => 'failed'));
}

/**
 * As far as a service worker is told. A share sheet opens no frames. It has no origin (or "null") and no referrer (or
 * another app's), as a form may have that hides both.
 */
function isFromOtherSite({ url, destination, referrer, headers }: Request): boolean {
  const own = new URL(url).origin;
  const isOtherSite = (named: string | null) =>
    !!named && /^https?:/.test(named) && URL.canParse(named) && new URL(named).origin !== own;
  return /^i?frame$/.test(destination) || isOtherSite(headers.get('Origin')) || isOtherSite(referrer);
}

async function store(request: Request): Promise<ShareResult> {
  const form = await request.formData();
  const files = form.getAll(FIELD).filter((each) => each instanceof File);
  if (files.length === 0) return 'failed';
  // Not the first hundred of them: which ones came would be a riddle.
  if (files.length > MAX_SHARED_PHOTOS) return 'too-many';
  return storeReceived(files, crypto.randomUUID());
}

function redirect(result: ShareResult): Response {
  return new Response(null, {
    status: 303,
    headers: { Location: `${paths.addMany}?${SHARED_PARAM}=${result}` },
  });
}
