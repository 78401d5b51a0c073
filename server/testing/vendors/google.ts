import { randomUUID } from 'node:crypto';
import type { RequestListener } from 'node:http';
import { GAPI_SCRIPT, GIS_SCRIPT } from './google-scripts.ts';
import { apiError, html, notFound, post } from './google-api.ts';
import { googleDriveRoutes, PICKED_FILES, READ_DRIVE } from './google-drive.ts';
import { createGooglePhotos, PICKED_PHOTOS } from './google-photos.ts';
import { createOAuth, type OAuth, type OAuthClient } from './oauth.ts';
import { createHost, escapeHtml, type Call, type Reply, type Route, type Traffic } from './vendor-host.ts';
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

/** Google's OAuth, Identity Services, Drive API 3, Drive Picker and Photos Picker API, per developers.google.com */
export function createGoogle(
  traffic: Traffic,
  drive: VendorAccount,
  photos: VendorAccount,
): { hosts: Record<string, RequestListener>; oauth: OAuth; pickerOauth: OAuth } {
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
  const googlePhotos = createGooglePhotos(photos, pickerOauth);
  const requireDriveToken = (call: Call): { mayRead: (file: VendorFile) => boolean } => {
    const token = /^Bearer (.*)/.exec(call.headers.authorization ?? '')?.[1] ?? '';
    (authorityOf(token) ?? oauth).requireToken(call, READ_DRIVE, PICKED_FILES);
    const isLimited = pickerOauth.state(token) === 'valid';
    return { mayRead: (file) => !isLimited || pickedFiles.has(file.id) };
  };
  const driveRoutes: Route[] = [
    ...googleDriveRoutes(drive, requireDriveToken),
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
      'photospicker.googleapis.com': createHost(traffic, googlePhotos.routes, unknownMethod),
      'photos.google.com': createHost(
        traffic,
        [
          ['GET', /^\/picker\/([^/]+)$/, googlePhotos.page],
          ['POST', /^\/picker\/([^/]+)$/, googlePhotos.page],
        ],
        none,
      ),
      'lh3.googleusercontent.com': createHost(
        traffic,
        [
          ['GET', /^\/drive-storage\/([^/=]+)=s(?:40|220)$/, (_, id = '') => image(id, 220)],
          ['GET', /^\/ppa\/([^/=]+)=d$/, googlePhotos.download],
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
