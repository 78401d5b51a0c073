import { paths, SHARED_PARAM, type ShareResult } from '#shared/page-paths';
import { storeReceived } from './received-photos.ts';

const MAX_SHARED_PHOTOS = 100;
/** The name in the manifest. */
const FIELD = 'photos';

/** Stores what a share sheet posts, also offline, and leads to the page that asks about it. */
export async function receiveShare(request: Request): Promise<Response> {
  return redirect(await store(request).catch((): ShareResult => 'failed'));
}

async function store(request: Request): Promise<ShareResult> {
  const form = await request.formData();
  const files = form.getAll(FIELD).filter((each) => each instanceof File);
  if (files.length === 0) return 'failed';
  // Not the first hundred of them: which ones came would be a riddle.
  if (files.length > MAX_SHARED_PHOTOS) return 'too-many';
  await storeReceived(files);
  return 'stored';
}

function redirect(result: ShareResult): Response {
  const location = `${paths.addMany}?${SHARED_PARAM}=${result}`;
  return new Response(null, { status: 303, headers: { Location: location } });
}
