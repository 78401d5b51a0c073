import { promisify } from 'node:util';
import { Router, type Request, type RequestHandler, type Response } from 'express';
import {
  REMOTE_PATH,
  REMOTE_SOURCE_NAMES,
  SESSION_TOKEN,
  type OAuthSource,
} from '#shared/transfers/remote-source';
import { AppError, ForbiddenError, TooLargeError } from '../../platform/errors.ts';
import { tileCaching } from '../../platform/http/responses/cache-control.ts';
import { sendPublicPage } from '../../platform/http/pages/public-page.tsx';
import { isOwnRequest } from '../../platform/http/security/same-site.ts';
import { requireUser } from '../accounts/sessions/access/require-user.ts';
import { PHOTO_TOO_LARGE } from '../storage/photo-size.ts';
import { PROVIDERS, type CompanionResponse, type Provider } from './companion-service.ts';
import { sendTransfer, type RemoteRouteContext } from './send-transfer.ts';
import { finishSignIn, signInExpired, startSignIn } from './vendor-sign-in.ts';
import { SignInPage, type SignInResult } from './vendor-sign-in-page.tsx';

declare module 'express-session' {
  interface SessionData {
    /** Companion's encrypted tokens. They never reach the browser, and end with the session. */
    vendorTokens?: Partial<Record<Provider, string>>;
    /** Sign-ins at vendors that have begun. */
    vendorSignIns?: Partial<Record<Provider, object>>;
  }
}

/** A company that has people's photos. `source` is our name for its service, `provider` Companion's. */
type Vendor = {
  context: RemoteRouteContext;
  source: OAuthSource;
  provider: Provider;
  sameSite: RequestHandler;
  /** The path of one of its routes. */
  at(path: string): string;
};

export function vendorRoutes(context: RemoteRouteContext, source: OAuthSource): Router {
  const { publicUrl } = context.config.http;
  const provider = PROVIDERS[source];
  const sameSite: RequestHandler = (request, _response, next) => {
    if (!isOwnRequest(request.headers, publicUrl))
      throw new ForbiddenError('This request came from another site and was rejected.', 'refused-origin');
    next();
  };
  const at = (path: string) => `${REMOTE_PATH}/${provider}/${path}`;
  const vendor: Vendor = { context, source, provider, sameSite, at };
  return Router().use(signInRoutes(vendor), tokenRoutes(vendor), fileRoutes(vendor));
}

function signInRoutes(vendor: Vendor): Router {
  const { context, provider, sameSite } = vendor;
  const { config, companion } = context;
  const router = Router();

  router.get(vendor.at('connect'), sameSite, async (request, response) => {
    if (!request.user) return sendResult(vendor, response, 'rejected', 401);
    // The vendor redirects to this address: elsewhere the session would be missing.
    if (!config.http.publicUrl && request.hostname !== new URL(context.baseUrl.origin()).hostname)
      return sendResult(vendor, response, 'wrong-address');
    const step = { companion: await companion(), provider, requestId: request.id };
    const signIn = await startSignIn(context, step);
    if (!signIn) return sendResult(vendor, response, 'rejected', 502);
    request.session.vendorSignIns = { ...request.session.vendorSignIns, [provider]: signIn.grant };
    await saveSession(request);
    response.set('Cache-Control', 'no-store').redirect(signIn.url);
  });

  router.use([vendor.at('redirect'), vendor.at('send-token')], keepOpener);

  // From the vendor's site, which the vendor's own `state` proves.
  router.get(vendor.at('redirect'), async (request, response) => {
    if (!request.user) return sendResult(vendor, response, 'rejected', 401);
    const { [provider]: grant, ...others } = request.session.vendorSignIns ?? {};
    request.session.vendorSignIns = others;
    const query = new URL(request.originalUrl, 'http://relative').search;
    const step = { companion: await companion(), provider, requestId: request.id };
    const token = grant ? await finishSignIn(context, step, { query, grant }) : null;
    if (token) setToken(request, provider, token);
    await saveSession(request);
    // Without the vendor's code in the address.
    response
      .set('Cache-Control', 'no-store')
      .redirect(vendor.at(token ? 'send-token' : 'send-token?rejected'));
  });

  router.get(vendor.at('send-token'), (request, response) => {
    const isSignedIn = request.session.vendorTokens?.[provider] && !('rejected' in request.query);
    sendResult(vendor, response, isSignedIn ? 'signed-in' : 'rejected');
  });

  return router;
}

function tokenRoutes(vendor: Vendor): Router {
  const { provider, sameSite } = vendor;
  const router = Router();

  router.post(vendor.at('refresh-token'), sameSite, requireUser, async (request, response) => {
    const { status, json } = await ask(vendor, request, {
      method: 'POST',
      path: `/${provider}/refresh-token`,
    });
    const { uppyAuthToken } = (json ?? {}) as { uppyAuthToken?: string };
    if (status === 200 && uppyAuthToken) setToken(request, provider, uppyAuthToken);
    else if (status < 500) {
      // Vendors respond with 400 or 401 for a refresh token that the user has revoked.
      setToken(request, provider, null);
      throw signInExpired(vendor.source);
    } else throw toVendorError(vendor, status, json);
    response.set('Cache-Control', 'no-store').json({ uppyAuthToken: SESSION_TOKEN });
  });

  router.post(vendor.at('logout'), sameSite, requireUser, async (request, response) => {
    const token = request.session.vendorTokens?.[provider];
    // The token is deleted whatever the vendor responds.
    const revocation = token
      ? await ask(vendor, request, { path: `/${provider}/logout` }).catch(() => null)
      : null;
    setToken(request, provider, null);
    response.json({ ok: true, revoked: revocation?.status === 200 });
  });

  return router;
}

function fileRoutes(vendor: Vendor): Router {
  const { context, sameSite } = vendor;
  const router = Router();

  for (const path of ['list', 'list/:id', 'search'])
    router.get(vendor.at(path), sameSite, requireUser, async (request, response) => {
      const { status, json } = await ask(vendor, request, { path: companionPath(request) });
      if (status !== 200) throw toVendorError(vendor, status, json);
      response.set('Cache-Control', 'no-store').json(json);
    });

  router.get(vendor.at('thumbnail/:id'), sameSite, requireUser, async (request, response) => {
    const { status, json, headers, body } = await ask(vendor, request, { path: companionPath(request) });
    const type = headers['content-type'];
    if (status !== 200 || typeof type !== 'string' || !/^image\/(?!svg)/.test(type))
      throw toVendorError(vendor, status === 200 ? 502 : status, json);
    response.set('Cache-Control', tileCaching(request)).vary('Cookie').type(type).send(body);
  });

  router.post(vendor.at('get/:id'), sameSite, requireUser, async (request, response) => {
    const token = readToken(vendor, request);
    await sendTransfer(
      context,
      request,
      response,
      (service, call) => service.call({ ...call, method: 'POST', path: companionPath(request), token }),
      (status, json) => toVendorError(vendor, status, json),
    );
  });

  return router;
}

/** Express-session sends a redirect before it has saved: the next request could miss the change. */
function saveSession({ session }: Request): Promise<void> {
  return promisify((done: (error?: unknown) => void) => session.save(done))();
}

/** The vendor's page has no opener policy. One on the way back would cut the connection to the page that opened the window. */
const keepOpener: RequestHandler = (_request, response, next) => {
  response.removeHeader('Cross-Origin-Opener-Policy');
  next();
};

function sendResult(
  { context, source }: Vendor,
  response: Response,
  result: SignInResult,
  status = 200,
): void {
  const vendor = REMOTE_SOURCE_NAMES[source];
  const page = <SignInPage {...{ vendor, result, appAddress: context.baseUrl.origin() }} />;
  sendPublicPage(response, { status, title: vendor, children: page });
}

async function ask(
  vendor: Vendor,
  request: Request,
  call: { method?: 'POST'; path: string },
): Promise<CompanionResponse> {
  const token = readToken(vendor, request);
  return (await vendor.context.companion()).call({ ...call, token, requestId: request.id });
}

function companionPath(request: Request): string {
  return request.originalUrl.slice(REMOTE_PATH.length);
}

function readToken({ source, provider }: Vendor, request: Request): string {
  const token = request.session.vendorTokens?.[provider];
  if (!token) throw signInExpired(source);
  return token;
}

function setToken(request: Request, provider: Provider, token: string | null): void {
  const { [provider]: _old, ...others } = request.session.vendorTokens ?? {};
  request.session.vendorTokens = token ? { ...others, [provider]: token } : others;
}

function toVendorError({ source }: Vendor, status: number, json: unknown): AppError {
  const vendor = REMOTE_SOURCE_NAMES[source];
  if (status === 401) return signInExpired(source);
  const { message } = (json ?? {}) as { message?: unknown };
  if (message === 'maxFileSize exceeded') return new TooLargeError(PHOTO_TOO_LARGE);
  // OneDrive's, for its users: an account without a license or a set-up.
  if (status === 400 && typeof message === 'string') return new AppError(424, message);
  if (status === 424) return new AppError(424, `${vendor} does not let us have this. Please check it there.`);
  return new AppError(502, `${vendor} does not answer at the moment. Please try again later.`);
}
