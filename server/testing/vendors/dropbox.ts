import type { RequestListener } from 'node:http';
import { createOAuth, type OAuth, type OAuthClient } from './oauth.ts';
import { createHost, Rejection, type Call, type Reply, type Route, type Traffic } from './vendor-host.ts';
import { makeThumbnail, type VendorAccount, type VendorFile } from './vendor-files.ts';

export const DROPBOX_CLIENT: OAuthClient = { key: 'dropbox-key', secret: 'dropbox-secret' };
const PAGE_SIZE = 2;

/** Dropbox's API 2, per https://www.dropbox.com/developers/documentation/http/documentation */
export function createDropbox(
  traffic: Traffic,
  account: VendorAccount,
): { hosts: Record<string, RequestListener>; oauth: OAuth } {
  const endpointError = (summary: string, error: unknown, status = 409): Reply => ({
    status,
    json: { error_summary: `${summary}/..`, error },
  });
  const badInput = (endpoint: string, problem: string): Rejection =>
    new Rejection({ status: 400, body: `Error in call to API function "${endpoint}": ${problem}` });
  const oauth = createOAuth({
    name: 'Dropbox',
    client: DROPBOX_CLIENT,
    redirectPath: '/companion/dropbox/redirect',
    params: { token_access_type: 'offline' },
    scopes: [],
    expiresIn: 14_400,
    unauthorized: (state) => {
      const tag = state === 'expired' ? 'expired_access_token' : 'invalid_access_token';
      return endpointError(tag, { '.tag': tag }, 401);
    },
    forbidden: endpointError('missing_scope', { '.tag': 'missing_scope' }, 401),
    tokenFields: { uid: '1', account_id: 'dbid:1' },
  });

  const pathOf = (file: VendorFile) => {
    const folder = account.folders.find(({ id }) => id === file.folder);
    return `${folder ? `/${folder.name}` : ''}/${file.name}`;
  };
  const findFile = (endpoint: string, path: unknown): VendorFile => {
    if (typeof path !== 'string' || !/^(\/|id:)/.test(path))
      throw badInput(endpoint, `path: ${String(path)}`);
    const file = account.files.find(
      (each) => pathOf(each).toLowerCase() === path.toLowerCase() || `id:${each.id}` === path,
    );
    if (!file)
      throw new Rejection(endpointError('path/not_found', { '.tag': 'path', path: { '.tag': 'not_found' } }));
    return file;
  };
  const fileEntry = (file: VendorFile) => ({
    '.tag': 'file',
    name: file.name,
    id: `id:${file.id}`,
    path_lower: pathOf(file).toLowerCase(),
    path_display: pathOf(file),
    client_modified: '2026-05-12T15:50:38Z',
    server_modified: '2026-05-12T15:50:38Z',
    rev: 'a1c10ce0dd78',
    size: file.bytes.length,
    is_downloadable: true,
  });
  const folderEntry = ({ id, name }: { id: string; name: string }) => ({
    '.tag': 'folder',
    name,
    id: `id:${id}`,
    path_lower: `/${name}`.toLowerCase(),
    path_display: `/${name}`,
  });
  const entriesOf = (path: string) => {
    if (path === '')
      return [
        ...account.folders.map(folderEntry),
        ...account.files.filter((file) => !file.folder).map(fileEntry),
      ];
    const folder = account.folders.find(({ name }) => `/${name}`.toLowerCase() === path.toLowerCase());
    if (!folder)
      throw new Rejection(endpointError('path/not_found', { '.tag': 'path', path: { '.tag': 'not_found' } }));
    return account.files.filter((file) => file.folder === folder.id).map(fileEntry);
  };
  const listing = (path: string, start: number): Reply => {
    const entries = entriesOf(path);
    const end = start + PAGE_SIZE;
    const cursor = Buffer.from(JSON.stringify({ path, start: end })).toString('base64url');
    return { json: { entries: entries.slice(start, end), cursor, has_more: entries.length > end } };
  };

  const rpc = (endpoint: string, respond: (args: Record<string, unknown>) => Reply): Route => [
    'POST',
    new RegExp(`^/2/${endpoint}$`),
    (call) => {
      oauth.requireToken(call);
      const type = call.headers['content-type'];
      if (!call.body) {
        if (type) throw badInput(endpoint, 'request body: could not decode input as JSON');
        return respond({});
      }
      if (type !== 'application/json') throw badInput(endpoint, `Bad HTTP "Content-Type" header: "${type}".`);
      return respond(JSON.parse(call.body) as Record<string, unknown>);
    },
  ];
  const download = (
    endpoint: string,
    respond: (args: Record<string, unknown>) => Reply | Promise<Reply>,
  ): Route => [
    'POST',
    new RegExp(`^/2/${endpoint}$`),
    (call) => {
      oauth.requireToken(call);
      const type = call.headers['content-type'];
      if (type && !/^(application\/octet-stream|text\/plain)/.test(type))
        throw badInput(endpoint, `Bad HTTP "Content-Type" header: "${type}".`);
      const args = call.headers['dropbox-api-arg'];
      if (typeof args !== 'string') throw badInput(endpoint, 'Must provide HTTP header "Dropbox-API-Arg".');
      return respond(JSON.parse(args) as Record<string, unknown>);
    },
  ];

  const api = createHost(
    traffic,
    [
      ['POST', /^\/oauth2\/token$/, (call: Call) => oauth.exchange(call)],
      rpc('users/get_current_account', () => ({
        json: {
          account_id: 'dbid:1',
          name: { display_name: 'A Person' },
          email: account.email,
          email_verified: true,
          root_info: { '.tag': 'user', root_namespace_id: '7', home_namespace_id: '7' },
        },
      })),
      rpc('files/list_folder', ({ path }) => {
        if (typeof path !== 'string' || path === '/') throw badInput('files/list_folder', 'path');
        return listing(path, 0);
      }),
      rpc('files/list_folder/continue', ({ cursor }) => {
        const { path, start } = JSON.parse(Buffer.from(String(cursor), 'base64url').toString()) as {
          path: string;
          start: number;
        };
        return listing(path, start);
      }),
      rpc('files/search_v2', ({ query }) => {
        if (typeof query !== 'string' || !query) throw badInput('files/search_v2', 'query');
        const found = account.files.filter(({ name }) => name.includes(query));
        return {
          json: {
            matches: found.map((file) => ({
              match_type: { '.tag': 'filename' },
              metadata: { '.tag': 'metadata', metadata: fileEntry(file) },
            })),
            has_more: false,
          },
        };
      }),
      rpc('files/get_metadata', ({ path }) => ({ json: fileEntry(findFile('files/get_metadata', path)) })),
      [
        'POST',
        /^\/2\/auth\/token\/revoke$/,
        (call) => {
          oauth.revoke(oauth.requireToken(call));
          return { json: null };
        },
      ],
    ],
    { unknown: { status: 404, body: 'Unknown API function' } },
  );
  return {
    oauth,
    hosts: {
      'www.dropbox.com': createHost(
        traffic,
        [
          ['GET', /^\/oauth2\/authorize$/, (call) => oauth.authorize(call)],
          ['POST', /^\/oauth2\/authorize$/, (call) => oauth.authorize(call)],
        ],
        { unknown: { status: 404 } },
      ),
      // Both names are in use.
      'api.dropbox.com': api,
      'api.dropboxapi.com': api,
      'content.dropboxapi.com': createHost(
        traffic,
        [
          download('files/download', ({ path }) => {
            const file = findFile('files/download', path);
            const result = JSON.stringify(fileEntry(file));
            return {
              headers: { 'Content-Type': 'application/octet-stream', 'Dropbox-API-Result': result },
              body: file.bytes,
            };
          }),
          download('files/get_thumbnail_v2', async ({ resource, size, format }) => {
            const { '.tag': tag, path } = resource as { '.tag': string; path: unknown };
            if (tag !== 'path' || size !== 'w256h256' || format !== 'jpeg')
              throw badInput('files/get_thumbnail_v2', 'resource, size or format');
            const file = findFile('files/get_thumbnail_v2', path);
            if (!file.mimeType.startsWith('image/'))
              return endpointError('unsupported_extension', { '.tag': 'unsupported_extension' });
            return {
              headers: { 'Content-Type': 'application/octet-stream' },
              body: await makeThumbnail(file),
            };
          }),
        ],
        { unknown: { status: 404, body: 'Unknown API function' } },
      ),
    },
  };
}
