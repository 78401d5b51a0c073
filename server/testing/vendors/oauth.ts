import { randomUUID } from 'node:crypto';
import { escapeHtml, page, Rejection, type Call, type Reply } from './vendor-host.ts';

export type OAuthClient = { key: string; secret: string };

type Grant = { scope: string; accessToken: string; isExpired: boolean; refreshToken: string | null };

export type OAuth = {
  /** The page that asks for consent, and its answer. */
  authorize(call: Call): Reply;
  /** Exchanges a code or a refresh token. */
  exchange(call: Call): Reply;
  /** @throws the vendor's 401 unless the call has a valid token with one of the scopes */
  requireToken(call: Call, ...scopes: string[]): string;
  /** A token without code and refresh token, for Google's script. */
  issue(scope: string): string;
  state(token: string | undefined): 'valid' | 'expired' | 'unknown';
  scopeOf(token: string): string;
  /** True if it was valid. */
  revoke(token: string): boolean;
  /** As after their hours: refresh tokens stay valid. */
  expireTokens(): void;
  /** As when the person removes the app in the vendor's settings. */
  revokeAll(): void;
};

export type OAuthOptions = {
  /** Whose page it is. */
  name: string;
  client: OAuthClient;
  /** Where the app may receive codes, on loopback. */
  redirectPath: string;
  /** Parameters that the authorization request needs, with their values. */
  params: Record<string, string>;
  /** Parts of the parameter `scope`. */
  scopes: string[];
  expiresIn: number;
  /** The vendor's 401 of its API. */
  unauthorized(state: 'expired' | 'unknown'): Reply;
  forbidden: Reply;
  /** Further fields of an answer with tokens. */
  tokenFields?: Record<string, unknown>;
};

export function createOAuth(options: OAuthOptions): OAuth {
  const { name, client } = options;
  const grants: Grant[] = [];
  const codes = new Map<string, { redirectUri: string; scope: string }>();

  const checkAuthorization = ({ url }: Call) => {
    const given = (param: string) => url.searchParams.get(param) ?? '';
    const reject = (message: string) => {
      throw new Rejection({ status: 400, ...page(`${name}: Error 400`, `<p>${escapeHtml(message)}</p>`) });
    };
    if (given('client_id') !== client.key) reject('invalid_client');
    const redirectUri = given('redirect_uri');
    if (!new RegExp(`^http://(127\\.0\\.0\\.1|localhost):\\d+${options.redirectPath}$`).test(redirectUri))
      reject(`redirect_uri_mismatch: ${redirectUri}`);
    for (const [param, value] of Object.entries({ response_type: 'code', ...options.params }))
      if (given(param) !== value) reject(`invalid_request: ${param} must be ${value}`);
    const scope = given('scope');
    for (const each of options.scopes)
      if (!scope.split(' ').includes(each)) reject(`invalid_scope: ${scope}`);
    if (!given('state')) reject('invalid_request: state is missing');
    return { redirectUri, scope, state: given('state') };
  };

  const issue = (scope: string, hasRefreshToken: boolean): Grant => {
    const refreshToken = hasRefreshToken ? `refresh-${randomUUID()}` : null;
    const grant = { scope, accessToken: `access-${randomUUID()}`, isExpired: false, refreshToken };
    grants.push(grant);
    return grant;
  };
  const find = (token: string | undefined) => grants.find(({ accessToken }) => accessToken === token);
  const state: OAuth['state'] = (token) => {
    const grant = find(token);
    return !grant ? 'unknown' : grant.isExpired ? 'expired' : 'valid';
  };

  return {
    authorize(call) {
      const { redirectUri, scope, state: appState } = checkAuthorization(call);
      if (call.method === 'GET')
        return page(
          `Sign in to ${name}`,
          `<p>Mems Are Forever would like to see your files.</p>
          <form method="post"><button name="answer" value="allow">Allow</button>
          <button name="answer" value="deny">Deny</button></form>`,
        );
      const target = new URL(redirectUri);
      if (new URLSearchParams(call.body).get('answer') === 'allow') {
        const code = `code-${randomUUID()}`;
        codes.set(code, { redirectUri, scope });
        target.searchParams.set('code', code);
      } else {
        target.searchParams.set('error', 'access_denied');
        target.searchParams.set('error_description', 'The user denied access to the application.');
      }
      target.searchParams.set('state', appState);
      return { status: 302, headers: { Location: target.href } };
    },

    exchange(call) {
      const reject = (error: string, status = 400): Reply => ({
        status,
        json: { error, error_description: error },
      });
      if (!call.headers['content-type']?.startsWith('application/x-www-form-urlencoded'))
        return reject('invalid_request');
      const form = Object.fromEntries(new URLSearchParams(call.body));
      if (form['client_id'] !== client.key || form['client_secret'] !== client.secret)
        return reject('invalid_client', 401);
      const response = ({ accessToken, scope, refreshToken }: Grant, isFirst: boolean): Reply => ({
        json: {
          access_token: accessToken,
          token_type: 'bearer',
          expires_in: options.expiresIn,
          scope,
          ...(isFirst && { refresh_token: refreshToken }),
          ...options.tokenFields,
        },
      });
      if (form['grant_type'] === 'authorization_code') {
        const code = codes.get(form['code'] ?? '');
        codes.delete(form['code'] ?? '');
        if (!code || code.redirectUri !== form['redirect_uri']) return reject('invalid_grant');
        return response(issue(code.scope, true), true);
      }
      if (form['grant_type'] !== 'refresh_token') return reject('unsupported_grant_type');
      const grant = grants.find(({ refreshToken }) => refreshToken && refreshToken === form['refresh_token']);
      if (!grant) return reject('invalid_grant');
      Object.assign(grant, { accessToken: `access-${randomUUID()}`, isExpired: false });
      return response(grant, false);
    },

    requireToken({ headers }, ...scopes) {
      const token = /^Bearer (\S+)$/.exec(headers.authorization ?? '')?.[1];
      const current = state(token);
      if (!token || current !== 'valid')
        throw new Rejection(options.unauthorized(current === 'expired' ? 'expired' : 'unknown'));
      const granted = find(token)!.scope.split(' ');
      if (scopes.length > 0 && !scopes.some((scope) => granted.includes(scope)))
        throw new Rejection(options.forbidden);
      return token;
    },
    issue: (scope) => issue(scope, false).accessToken,
    state,
    scopeOf: (token) => find(token)?.scope ?? '',
    revoke(token) {
      const index = grants.findIndex(({ accessToken, refreshToken }) =>
        [accessToken, refreshToken].includes(token),
      );
      if (index < 0) return false;
      grants.splice(index, 1);
      return true;
    },
    expireTokens: () => void grants.forEach((grant) => (grant.isExpired = true)),
    revokeAll: () => void grants.splice(0),
  };
}
