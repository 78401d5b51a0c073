import { paths, SHARE_ID_PARAM, SHARED_PARAM, type ShareResult } from '#shared/api/page-paths';
import { deleteShare, storeReceived } from './received-photos.ts';

const MAX_SHARED_PHOTOS = 100;
/** The name in the manifest. */
const FIELD = 'photos';

/** Stores what a share sheet posts, also offline, and leads to the page that asks about it. */
export async function receiveShare(request: Request): Promise<Response> {
  // A service worker cannot see Sec-Fetch-Site. A form that names no origin is found by the server: see dropForeignShare.
  if (isFromOtherSite(request)) return redirect('other-site');
  const shareId = crypto.randomUUID();
  return redirect(await store(request, shareId).catch((): ShareResult => 'failed'), shareId);
}

/** As far as the browser tells. Share sheets have neither origin nor referrer, and open no frames. */
function isFromOtherSite({ url, destination, referrer, headers }: Request): boolean {
  const own = new URL(url).origin;
  const isOwn = (named: string | null) =>
    !named || !URL.canParse(named) || named === 'about:client' || new URL(named).origin === own;
  return /^i?frame$/.test(destination) || !isOwn(headers.get('Origin')) || !isOwn(referrer);
}

async function store(request: Request, shareId: string): Promise<ShareResult> {
  const form = await request.formData();
  const files = form.getAll(FIELD).filter((each) => each instanceof File);
  if (files.length === 0) return 'failed';
  // Not the first hundred of them: which ones came would be a riddle.
  if (files.length > MAX_SHARED_PHOTOS) return 'too-many';
  return storeReceived(files, shareId);
}

function redirect(result: ShareResult, shareId = ''): Response {
  const id = result === 'stored' ? `&${SHARE_ID_PARAM}=${shareId}` : '';
  const location = `${paths.addMany}?${SHARED_PARAM}=${result}${id}`;
  return new Response(null, { status: 303, headers: { Location: location } });
}

/**
 * The browser tells the server where the navigation began, also through the redirect above. The server redirects once
 * more if another site began it. That share is then deleted.
 */
export async function dropForeignShare({ url }: Request, { type }: Response): Promise<void> {
  const shareId = new URL(url).searchParams.get(SHARE_ID_PARAM);
  if (shareId !== null && type === 'opaqueredirect') await deleteShare(shareId);
}
