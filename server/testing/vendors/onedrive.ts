import type { RequestListener } from 'node:http';
import { createOAuth, type OAuth, type OAuthClient } from './oauth.ts';
import { createHost, Rejection, type Call, type Reply, type Traffic } from './vendor-host.ts';
import { makeThumbnail, type VendorAccount, type VendorFile } from './vendor-files.ts';

export const ONEDRIVE_CLIENT: OAuthClient = { key: 'onedrive-key', secret: 'onedrive-secret' };
const DRIVE_ID = 'b!drive-1';
const PAGE_SIZE = 2;
/** Serves thumbnails and downloads without a token, at signed URLs. */
const FILE_HOST = 'public.dm.files.1drv.com';

/** Microsoft's identity platform and Graph 1.0, per https://learn.microsoft.com/en-us/graph/api/resources/onedrive */
export function createOneDrive(
  traffic: Traffic,
  account: VendorAccount,
): { hosts: Record<string, RequestListener>; oauth: OAuth } {
  const graphError = (status: number, code: string, message: string): Reply => ({
    status,
    json: { error: { code, message, innerError: { date: '2026-05-12T15:50:38', 'request-id': '1' } } },
  });
  const oauth = createOAuth({
    name: 'OneDrive',
    client: ONEDRIVE_CLIENT,
    redirectPath: '/companion/onedrive/redirect',
    params: {},
    scopes: ['files.read.all', 'offline_access', 'User.Read'],
    expiresIn: 3600,
    unauthorized: (state) =>
      state === 'expired'
        ? graphError(401, 'InvalidAuthenticationToken', 'Lifetime validation failed, the token is expired.')
        : graphError(
            401,
            'InvalidAuthenticationToken',
            'CompactToken parsing failed with error code: 80049217',
          ),
    forbidden: graphError(403, 'accessDenied', 'Access denied'),
    tokenFields: { ext_expires_in: 3600 },
  });

  const notFound = () => new Rejection(graphError(404, 'itemNotFound', 'Item not found'));
  const findFile = (id: string): VendorFile => {
    const file = account.files.find((each) => each.id === id);
    if (!file) throw notFound();
    return file;
  };
  const parentReference = (folder: string | null) => ({
    driveId: DRIVE_ID,
    driveType: 'personal',
    id: folder ?? 'root',
    path: '/drive/root:',
  });
  const fileItem = (file: VendorFile, hasThumbnails: boolean) => ({
    id: file.id,
    name: file.name,
    size: file.bytes.length,
    lastModifiedDateTime: '2026-05-12T15:50:38Z',
    file: { mimeType: file.mimeType },
    parentReference: parentReference(file.folder),
    ...(hasThumbnails && {
      thumbnails: file.mimeType.startsWith('image/')
        ? [
            {
              id: '0',
              medium: {
                height: 176,
                width: 176,
                url: `https://${FILE_HOST}/thumbnails/${file.id}?tempauth=1`,
              },
            },
          ]
        : [],
    }),
  });
  const children = (call: Call, folder: string | null): Reply => {
    oauth.requireToken(call, 'files.read.all');
    const params = call.url.searchParams;
    if (folder && !account.folders.some(({ id }) => id === folder)) throw notFound();
    const hasThumbnails = params.get('$expand') === 'thumbnails';
    const top = Number(params.get('$top') ?? 200);
    if (!(top >= 1 && top <= 999)) return graphError(400, 'invalidRequest', 'Invalid $top');
    const all = [
      ...(folder ? [] : account.folders).map(({ id, name }) => ({
        id,
        name,
        size: 0,
        lastModifiedDateTime: '2026-05-12T15:50:38Z',
        folder: { childCount: 1 },
        parentReference: parentReference(null),
        ...(hasThumbnails && { thumbnails: [] }),
      })),
      ...account.files.filter((file) => file.folder === folder).map((file) => fileItem(file, hasThumbnails)),
    ];
    const start = Number(params.get('$skiptoken') ?? 0);
    const end = start + PAGE_SIZE;
    const next = new URL(call.url);
    next.searchParams.set('$skiptoken', String(end));
    return {
      json: { value: all.slice(start, end), ...(all.length > end && { '@odata.nextLink': next.href }) },
    };
  };
  const requireDrive = (drive: string) => {
    if (drive !== 'me/drive' && drive !== `drives/${DRIVE_ID}`) throw notFound();
  };
  const DRIVE = '^/v1\\.0/(me/drive|drives/[^/]+)';

  return {
    oauth,
    hosts: {
      'login.microsoftonline.com': createHost(
        traffic,
        [
          ['GET', /^\/common\/oauth2\/v2\.0\/authorize$/, (call) => oauth.authorize(call)],
          ['POST', /^\/common\/oauth2\/v2\.0\/authorize$/, (call) => oauth.authorize(call)],
          ['POST', /^\/common\/oauth2\/v2\.0\/token$/, (call) => oauth.exchange(call)],
        ],
        { unknown: { status: 404 } },
      ),
      'login.live.com': createHost(
        traffic,
        [['POST', /^\/oauth20_token\.srf$/, (call) => oauth.exchange(call)]],
        { unknown: { status: 404 } },
      ),
      'graph.microsoft.com': createHost(
        traffic,
        [
          [
            'GET',
            /^\/v1\.0\/me$/,
            (call) => {
              oauth.requireToken(call, 'User.Read');
              return {
                json: { id: '1', displayName: 'A Person', mail: null, userPrincipalName: account.email },
              };
            },
          ],
          [
            'GET',
            new RegExp(`${DRIVE}/root/children$`),
            (call, drive = '') => {
              requireDrive(drive);
              return children(call, null);
            },
          ],
          [
            'GET',
            new RegExp(`${DRIVE}/items/([^/]+)/children$`),
            (call, drive = '', id = '') => {
              requireDrive(drive);
              return children(call, id);
            },
          ],
          [
            'GET',
            new RegExp(`${DRIVE}/items/([^/]+)$`),
            (call, drive = '', id = '') => {
              oauth.requireToken(call, 'files.read.all');
              requireDrive(drive);
              return { json: fileItem(findFile(id), false) };
            },
          ],
          [
            'GET',
            new RegExp(`${DRIVE}/items/([^/]+)/content$`),
            (call, drive = '', id = '') => {
              oauth.requireToken(call, 'files.read.all');
              requireDrive(drive);
              return {
                status: 302,
                headers: { Location: `https://${FILE_HOST}/files/${findFile(id).id}?tempauth=1` },
              };
            },
          ],
        ],
        { unknown: graphError(400, 'BadRequest', 'Resource not found for the segment') },
      ),
      [FILE_HOST]: createHost(
        traffic,
        [
          [
            'GET',
            /^\/files\/([^/]+)$/,
            ({ url, headers }, id = '') => {
              if (url.searchParams.get('tempauth') !== '1' || headers.authorization)
                return graphError(401, 'unauthenticated', 'Only the signature of the URL is accepted');
              const { mimeType, bytes } = findFile(id);
              return { headers: { 'Content-Type': mimeType }, body: bytes };
            },
          ],
          [
            'GET',
            /^\/thumbnails\/([^/]+)$/,
            async ({ url }, id = '') =>
              url.searchParams.get('tempauth') === '1'
                ? { headers: { 'Content-Type': 'image/jpeg' }, body: await makeThumbnail(findFile(id), 176) }
                : graphError(401, 'unauthenticated', 'The signature of the URL is missing'),
          ],
        ],
        { unknown: { status: 404 } },
      ),
    },
  };
}
