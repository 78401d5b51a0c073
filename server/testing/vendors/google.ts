import { randomUUID } from 'node:crypto';
import type { RequestListener } from 'node:http';
import { GAPI_SCRIPT, GIS_SCRIPT } from './google-scripts.ts';
import { createOAuth, type OAuth, type OAuthClient } from './oauth.ts';
import {
  createHost,
  escapeHtml,
  page,
  Rejection,
  type Call,
  type Reply,
  type Route,
  type Traffic,
} from './vendor-host.ts';
import { makeThumbnail, type VendorAccount, type VendorFile } from './vendor-files.ts';

export const GOOGLE_DRIVE_CLIENT: OAuthClient = {
  key: 'drive.apps.googleusercontent.com',
  secret: 'drive-secret',
};
/** Without a secret: its tokens are issued to the page. */
export const GOOGLE_PICKER = {
  clientId: 'picker.apps.googleusercontent.com',
  apiKey: 'picker-key',
  appId: '1234567',
};

const READ_DRIVE = 'https://www.googleapis.com/auth/drive.readonly';
/** Of files that were picked only. */
const PICKED_FILES = 'https://www.googleapis.com/auth/drive.file';
const PICKED_PHOTOS = 'https://www.googleapis.com/auth/photospicker.mediaitems.readonly';
const PAGE_SIZE = 2;
const POLL_INTERVAL = '0.2s';

type PickingSession = { id: string; picked: VendorFile[] | null };

/** Google's OAuth, Identity Services, Drive API 3, Drive Picker and Photos Picker API, per developers.google.com */
export function createGoogle(
  traffic: Traffic,
  drive: VendorAccount,
  photos: VendorAccount,
): { hosts: Record<string, RequestListener>; oauth: OAuth; pickerOauth: OAuth } {
  const apiError = (code: number, status: string, message: string): Reply => ({
    status: code,
    json: { error: { code, message, status, errors: [{ message, domain: 'global', reason: status }] } },
  });
  const invalid = (message: string) => new Rejection(apiError(400, 'INVALID_ARGUMENT', message));
  const notFound = () => new Rejection(apiError(404, 'NOT_FOUND', 'Requested entity was not found.'));
  const shared = {
    name: 'Google',
    params: {},
    scopes: [],
    expiresIn: 3599,
    unauthorized: () =>
      apiError(
        401,
        'UNAUTHENTICATED',
        'Request had invalid authentication credentials. Expected OAuth 2 access token.',
      ),
    forbidden: apiError(403, 'PERMISSION_DENIED', 'Request had insufficient authentication scopes.'),
  };
  const oauth = createOAuth({
    ...shared,
    client: GOOGLE_DRIVE_CLIENT,
    redirectPath: '/companion/drive/redirect',
    params: { access_type: 'offline', prompt: 'consent' },
    scopes: [READ_DRIVE],
  });
  const pickerOauth = createOAuth({
    ...shared,
    client: { key: GOOGLE_PICKER.clientId, secret: randomUUID() },
    redirectPath: '/none',
  });
  const authorityOf = (token: string) => [oauth, pickerOauth].find((each) => each.state(token) !== 'unknown');

  /** Files of the Drive that a token with the scope drive.file may read. */
  const pickedFiles = new Set<string>();
  const sessions = new Map<string, PickingSession>();

  const html = (title: string, content: string): Reply => page(title, content);
  /** Posts a message to the window that opened or embeds the page. */
  const post = (to: 'opener' | 'parent', origin: string, message: unknown): string => {
    const json = JSON.stringify(message).replaceAll('<', '\\u003c');
    return `<script>${to}.postMessage(${json}, ${JSON.stringify(origin)});${to === 'opener' ? 'close();' : ''}</script>`;
  };

  /** The pop-up of Identity Services. */
  const authorizeForScript = (call: Call): Reply => {
    const given = (name: string) => call.url.searchParams.get(name) ?? '';
    const origin = given('origin');
    const reject = (message: string): Reply => ({
      status: 400,
      ...html('Google: Error 400', `<p>${message}</p>`),
    });
    if (given('client_id') !== GOOGLE_PICKER.clientId) return reject('invalid_client');
    if (!/^http:\/\/(127\.0\.0\.1|localhost):\d+$/.test(origin)) return reject('origin_mismatch');
    if (![PICKED_FILES, PICKED_PHOTOS].includes(given('scope'))) return reject('invalid_scope');
    const allowed = (): Reply => {
      const scope = given('scope');
      const token = { access_token: pickerOauth.issue(scope), token_type: 'Bearer', expires_in: 3599, scope };
      return {
        ...html('Signed in', post('opener', origin, token)),
        headers: { 'Set-Cookie': `consent=${encodeURIComponent(scope)}` },
      };
    };
    // An empty prompt: asks the first time only.
    const hasConsented = call.headers.cookie?.includes(`consent=${encodeURIComponent(given('scope'))}`);
    if (call.method === 'GET')
      return given('prompt') === '' && hasConsented
        ? allowed()
        : html(
            'Sign in to Google',
            `<p>Mems Are Forever would like to see your photos.</p>
            <form method="post"><button name="answer" value="allow">Allow</button>
            <button name="answer" value="deny">Deny</button></form>`,
          );
    if (new URLSearchParams(call.body).get('answer') === 'allow') return allowed();
    return html('Not signed in', post('opener', origin, { error: 'access_denied' }));
  };

  const requireDriveToken = (call: Call): { mayRead: (file: VendorFile) => boolean } => {
    const token = /^Bearer (.*)/.exec(call.headers.authorization ?? '')?.[1] ?? '';
    (authorityOf(token) ?? oauth).requireToken(call, READ_DRIVE, PICKED_FILES);
    const isLimited = pickerOauth.state(token) === 'valid';
    return { mayRead: (file) => !isLimited || pickedFiles.has(file.id) };
  };
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

  const driveRoutes: Route[] = [
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
    [
      'GET',
      /^\/oauth2\/v1\/tokeninfo$/,
      ({ url }) => {
        const token = url.searchParams.get('access_token') ?? '';
        const authority = authorityOf(token);
        if (authority?.state(token) !== 'valid')
          return { status: 400, json: { error: 'invalid_token', error_description: 'Invalid Value' } };
        return { json: { scope: authority.scopeOf(token), expires_in: 3599, access_type: 'online' } };
      },
    ],
  ];

  /** The embedded page of the Drive Picker. */
  const pickerPage = (call: Call): Reply => {
    const given = (name: string) => call.url.searchParams.get(name) ?? '';
    const token = given('oauth_token');
    const reject = (message: string) => html('There was an error!', `<p>${message}</p>`);
    if (given('developerKey') !== GOOGLE_PICKER.apiKey) return reject('The API developer key is invalid.');
    if (given('appId') !== GOOGLE_PICKER.appId) return reject('The app id is invalid.');
    if (pickerOauth.state(token) !== 'valid' || pickerOauth.scopeOf(token) !== PICKED_FILES)
      return reject('The API token is invalid.');
    const origin = given('origin');
    const answer = new URLSearchParams(call.body);
    if (answer.has('cancel')) return html('Canceled', post('parent', origin, { action: 'cancel' }));
    const file = drive.files.find(({ id }) => id === answer.get('id'));
    if (file) {
      pickedFiles.add(file.id);
      const { id, name, mimeType, bytes } = file;
      const doc = { id, name, mimeType, sizeBytes: bytes.length, type: 'photo', serviceId: 'docs' };
      return html('Selected', post('parent', origin, { action: 'picked', docs: [doc] }));
    }
    const buttons = drive.files.map(
      ({ id, name }) => `<button name="id" value="${id}">${escapeHtml(name)}</button>`,
    );
    return html(
      'Select a file',
      `<form method="post">${buttons.join(' ')} <button name="cancel">Cancel</button></form>
      ${post('parent', origin, { action: 'loaded' })}`,
    );
  };

  const sessionJson = ({ id, picked }: PickingSession) => ({
    id,
    pickerUri: `https://photos.google.com/picker/${id}`,
    pollingConfig: { pollInterval: POLL_INTERVAL, timeoutIn: '1799s' },
    expireTime: new Date(Date.now() + 24 * 60 * 60 * 1000).toISOString(),
    mediaItemsSet: picked !== null,
  });
  const findSession = (id: string | null): PickingSession => {
    const session = sessions.get(id ?? '');
    if (!session) throw notFound();
    return session;
  };
  const photosPage = (call: Call, id = ''): Reply => {
    const session = findSession(id);
    if (session.picked) return { status: 404, ...html('This session has ended', '') };
    const chosen = photos.files.filter((file) => file.id === new URLSearchParams(call.body).get('id'));
    if (call.method === 'POST') {
      session.picked = chosen;
      return html('Done', '<p>Return to the app to continue.</p>');
    }
    const buttons = photos.files
      .filter(({ mimeType }) => mimeType.startsWith('image/'))
      .map((file) => `<button name="id" value="${file.id}">${escapeHtml(file.name)}</button>`);
    return html('Select photos', `<form method="post">${buttons.join(' ')}</form>`);
  };
  const photoRoutes: Route[] = [
    [
      'POST',
      /^\/v1\/sessions$/,
      (call) => {
        pickerOauth.requireToken(call, PICKED_PHOTOS);
        const session = { id: randomUUID(), picked: null };
        sessions.set(session.id, session);
        return { json: sessionJson(session) };
      },
    ],
    [
      'GET',
      /^\/v1\/sessions\/([^/]+)$/,
      (call, id = '') => {
        pickerOauth.requireToken(call, PICKED_PHOTOS);
        return { json: sessionJson(findSession(id)) };
      },
    ],
    [
      'DELETE',
      /^\/v1\/sessions\/([^/]+)$/,
      (call, id = '') => {
        pickerOauth.requireToken(call, PICKED_PHOTOS);
        sessions.delete(findSession(id).id);
        return { json: {} };
      },
    ],
    [
      'GET',
      /^\/v1\/mediaItems$/,
      (call) => {
        pickerOauth.requireToken(call, PICKED_PHOTOS);
        const { picked } = findSession(call.url.searchParams.get('sessionId'));
        if (!picked) return apiError(400, 'FAILED_PRECONDITION', 'The user has not picked media items yet.');
        return {
          json: {
            mediaItems: picked.map((file) => ({
              id: file.id,
              createTime: '2026-05-12T15:50:38Z',
              type: 'PHOTO',
              mediaFile: {
                baseUrl: `https://lh3.googleusercontent.com/ppa/${file.id}`,
                mimeType: file.mimeType,
                filename: file.name,
                mediaFileMetadata: { width: 640, height: 480, cameraMake: 'Phone', photoMetadata: {} },
              },
            })),
          },
        };
      },
    ],
  ];

  const none = { unknown: { status: 404 } };
  const unknownMethod = { unknown: apiError(404, 'NOT_FOUND', 'Method not found.'), isCors: true };
  const script = (body: string): Reply => ({ headers: { 'Content-Type': 'text/javascript' }, body });
  const authorize = (call: Call) =>
    call.url.searchParams.get('response_type') === 'token' ? authorizeForScript(call) : oauth.authorize(call);
  const revoke = (token: string): Reply =>
    authorityOf(token)?.revoke(token) ? { json: {} } : { status: 400, json: { error: 'invalid_token' } };
  const image = async (id: string, width: number): Promise<Reply> => {
    const file = [...drive.files, ...photos.files].find((each) => each.id === id);
    if (!file) throw notFound();
    return { headers: { 'Content-Type': 'image/jpeg' }, body: await makeThumbnail(file, width) };
  };

  return {
    oauth,
    pickerOauth,
    hosts: {
      'accounts.google.com': createHost(
        traffic,
        [
          ['GET', /^\/o\/oauth2\/v2\/auth$/, authorize],
          ['POST', /^\/o\/oauth2\/v2\/auth$/, authorize],
          ['POST', /^\/o\/oauth2\/revoke$/, ({ url }) => revoke(url.searchParams.get('token') ?? '')],
          ['GET', /^\/gsi\/client$/, () => script(GIS_SCRIPT)],
        ],
        none,
      ),
      'oauth2.googleapis.com': createHost(
        traffic,
        [
          ['POST', /^\/token$/, (call) => oauth.exchange(call)],
          ['POST', /^\/revoke$/, ({ body }) => revoke(new URLSearchParams(body).get('token') ?? '')],
        ],
        unknownMethod,
      ),
      'www.googleapis.com': createHost(traffic, driveRoutes, unknownMethod),
      'apis.google.com': createHost(traffic, [['GET', /^\/js\/api\.js$/, () => script(GAPI_SCRIPT)]], none),
      'content.googleapis.com': createHost(
        traffic,
        [
          [
            'GET',
            /^\/static\/proxy\.html$/,
            () => html('Proxy', '<script>parent.postMessage("discovery", "*");</script>'),
          ],
        ],
        none,
      ),
      'docs.google.com': createHost(
        traffic,
        [
          ['GET', /^\/picker$/, pickerPage],
          ['POST', /^\/picker$/, pickerPage],
        ],
        none,
      ),
      'photospicker.googleapis.com': createHost(traffic, photoRoutes, unknownMethod),
      'photos.google.com': createHost(
        traffic,
        [
          ['GET', /^\/picker\/([^/]+)$/, photosPage],
          ['POST', /^\/picker\/([^/]+)$/, photosPage],
        ],
        none,
      ),
      'lh3.googleusercontent.com': createHost(
        traffic,
        [
          ['GET', /^\/drive-storage\/([^/=]+)=s(?:40|220)$/, (_, id = '') => image(id, 220)],
          [
            'GET',
            /^\/ppa\/([^/=]+)=d$/,
            (call, id = '') => {
              if (!call.headers.authorization) return { status: 403 };
              pickerOauth.requireToken(call, PICKED_PHOTOS);
              const picked = [...sessions.values()].flatMap((session) => session.picked ?? []);
              const file = picked.find((each) => each.id === id);
              return file
                ? { headers: { 'Content-Type': file.mimeType }, body: file.bytes }
                : { status: 403 };
            },
          ],
        ],
        none,
      ),
      'drive-thirdparty.googleusercontent.com': createHost(
        traffic,
        [['GET', /^\/16\/type\/.+$/, () => ({ headers: { 'Content-Type': 'image/gif' }, body: PIXEL })]],
        none,
      ),
    },
  };
}

const PIXEL = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64');
