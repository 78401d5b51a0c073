import { invalid, notFound } from './google-api.ts';
import type { Call, Route } from './vendor-host.ts';
import type { VendorAccount, VendorFile } from './vendor-files.ts';

export const READ_DRIVE = 'https://www.googleapis.com/auth/drive.readonly';
/** Of files that were picked only. */
export const PICKED_FILES = 'https://www.googleapis.com/auth/drive.file';
const PAGE_SIZE = 2;

/** Drive API 3. */
export function googleDriveRoutes(
  drive: VendorAccount,
  requireDriveToken: (call: Call) => { mayRead: (file: VendorFile) => boolean },
): Route[] {
  return [
    [
      'GET',
      /^\/drive\/v3\/about$/,
      (call) => {
        requireDriveToken(call);
        if (!call.url.searchParams.get('fields'))
          throw invalid("The 'fields' parameter is required for this method.");
        return { json: { user: { kind: 'drive#user', displayName: 'A Person', emailAddress: drive.email } } };
      },
    ],
    [
      'GET',
      /^\/drive\/v3\/drives$/,
      (call) => {
        requireDriveToken(call);
        return { json: { kind: 'drive#driveList', drives: [] } };
      },
    ],
    [
      'GET',
      /^\/drive\/v3\/files$/,
      (call) => {
        const { mayRead } = requireDriveToken(call);
        const params = call.url.searchParams;
        const query = params.get('q') ?? '';
        const parent = /^\(?'([^']+)' in parents\)? and trashed ?= ?false$/.exec(query)?.[1];
        const isShared = query === 'sharedWithMe and trashed=false';
        if (!parent && !isShared) throw invalid(`Invalid Value: q: ${query}`);
        if (!(Number(params.get('pageSize')) <= 1000)) throw invalid('Invalid Value: pageSize');
        const folder = parent === 'root' ? null : parent;
        if (folder && !drive.folders.some(({ id }) => id === folder)) throw notFound();
        const all = isShared
          ? []
          : [
              ...(folder ? [] : drive.folders).map(driveFolder),
              ...drive.files.filter((file) => file.folder === folder && mayRead(file)).map(driveFile),
            ];
        const start = Number(params.get('pageToken') ?? 0);
        const end = start + PAGE_SIZE;
        return {
          json: {
            kind: 'drive#fileList',
            incompleteSearch: false,
            files: all.slice(start, end),
            ...(all.length > end && { nextPageToken: String(end) }),
          },
        };
      },
    ],
    [
      'GET',
      /^\/drive\/v3\/files\/([^/]+)$/,
      (call, id = '') => {
        const { mayRead } = requireDriveToken(call);
        const file = drive.files.find((each) => each.id === id);
        if (!file || !mayRead(file)) throw notFound();
        if (call.url.searchParams.get('alt') === 'media')
          return { headers: { 'Content-Type': file.mimeType }, body: file.bytes };
        return { json: driveFile(file) };
      },
    ],
  ];
}

const driveFile = (file: VendorFile) => ({
  kind: 'drive#file',
  id: file.id,
  name: file.name,
  mimeType: file.mimeType,
  ownedByMe: true,
  size: String(file.bytes.length),
  modifiedTime: '2026-05-12T15:50:38.000Z',
  iconLink: `https://drive-thirdparty.googleusercontent.com/16/type/${file.mimeType}`,
  ...(file.mimeType.startsWith('image/') && {
    thumbnailLink: `https://lh3.googleusercontent.com/drive-storage/${file.id}=s220`,
    imageMediaMetadata: { width: 640, height: 480, rotation: 0 },
  }),
});
const FOLDER_TYPE = 'application/vnd.google-apps.folder';
const driveFolder = ({ id, name }: { id: string; name: string }) => ({
  kind: 'drive#file',
  id,
  name,
  mimeType: FOLDER_TYPE,
  ownedByMe: true,
  modifiedTime: '2026-05-12T15:50:38.000Z',
  iconLink: `https://drive-thirdparty.googleusercontent.com/16/type/${FOLDER_TYPE}`,
});
