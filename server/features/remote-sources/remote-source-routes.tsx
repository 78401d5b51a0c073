import { promisify } from 'node:util';
import { Router, type Request, type RequestHandler, type Response } from 'express';
import * as z from 'zod/mini';
import { ERROR_CODES } from '#shared/api-error';
import {
  PhotoLinkRequest,
  REMOTE_ERRORS,
  REMOTE_PATH,
  REMOTE_SOURCE_NAMES,
  SESSION_TOKEN,
  SIGN_IN_EXPIRED,
  signInExpiredMessage,
  type OAuthSource,
  type RemoteSource,
} from '#shared/remote-source';
import type { AppContext } from '../../platform/context.ts';
import { AppError, ForbiddenError, MalformedError, TooLargeError } from '../../platform/errors.ts';
import { tileCaching } from '../../platform/http/cache-control.ts';
import { sendPublicPage } from '../../platform/http/public-page.tsx';
import { isOwnRequest } from '../../platform/http/same-site.ts';
import { parseBody } from '../../platform/http/validate.ts';
import { GetError, parsePublicUrl, type GetLimits } from '../../platform/public-http/get-public-url.ts';
import { currentUser, requireUser } from '../sessions/require-user.ts';
import { PHOTO_TOO_LARGE } from '../storage/photo-size.ts';
import {
  PROVIDERS,
  type CompanionAnswer,
  type CompanionService,
  type Provider,
} from './companion-service.ts';
import { describeLinkedPhoto, openLinkedPhoto, toLinkError } from './linked-photo.ts';
import type { RemoteTransfers } from './remote-transfers.ts';
import { RemoteUploadRequest, toUploadDestination } from './remote-upload-destination.ts';
import { finishSignIn, startSignIn } from './vendor-sign-in.ts';
import { REPORT_SCRIPT, REPORT_SCRIPT_PATH, SignInPage, type SignInResult } from './vendor-sign-in-page.tsx';

declare module 'express-session' {
  interface SessionData {
    /** Companion's encrypted tokens. They never reach the browser, and end with the session. */
    vendorTokens?: Partial<Record<Provider, string>>;
    /** Sign-ins at vendors that have begun. */
    vendorSignIns?: Partial<Record<Provider, object>>;
  }
}

const LINK_REQUEST_BYTES = 4_096;
/** Google Photos' hosts for chosen photos: the user's access token is sent only to these. */
const GOOGLE_PHOTOS_HOST = /^[\w-]+\.googleusercontent\.com$/;

const PickedFile = z.object({
  accessToken: z.string(),
  platform: z.enum(['drive', 'photos']),
  fileId: z.optional(z.string()),
  url: z.optional(z.string()),
});

/** Express-session sends a redirect before it has saved: the next request could miss the change. */
function saveSession({ session }: Request): Promise<void> {
  return promisify((done: (error?: unknown) => void) => session.save(done))();
}

/** The calls of companion that our uploader makes. Everything else below REMOTE_PATH is not found. */
export function remoteSourceRoutes(
  context: AppContext & {
    transfers: RemoteTransfers;
    companion: () => Promise<CompanionService>;
    downloadLimits: GetLimits;
  },
): Router {
  const { config, rateLimits, transfers, companion, downloadLimits } = context;
  const { remoteSources } = config;
  const router = Router();

  if (remoteSources.links) linkRoutes();
  if (remoteSources.googlePicker) googlePickerRoutes();
  if (remoteSources.dropbox) vendorRoutes('dropbox');
  if (remoteSources.onedrive) vendorRoutes('onedrive');
  if (remoteSources.googleDrive) vendorRoutes('google-drive');
  router.get(REPORT_SCRIPT_PATH, (_request, response) => {
    response.set('Cache-Control', 'no-cache').type('js').send(REPORT_SCRIPT);
  });
  router.use(`${REMOTE_PATH}/s3`, requireUser, rejectS3(context));
  return router;

  function linkRoutes(): void {
    router.post(`${REMOTE_PATH}/url/meta`, requireUser, async (request, response) => {
      const url = readLink(request);
      const { id: userId } = currentUser(request);
      await rateLimits.remotePhotoPerUser.consume(userId);
      const cancelled = new AbortController();
      response.once('close', () => cancelled.abort());
      const photo = await transfers.withTransferSlot(userId, () =>
        describeLinkedPhoto(context, userId, url, downloadLimits, cancelled.signal),
      );
      response.json(photo);
    });

    router.post(`${REMOTE_PATH}/url/get`, requireUser, async (request, response) => {
      const url = readLink(request);
      await sendTransfer(request, response, async (service, call) => {
        const { body: photo } = await openLinkedPhoto(url, downloadLimits);
        try {
          const answer = await service.storePhoto(photo, call);
          return { ...answer, abort: () => void (answer.abort(), photo.destroy()) };
        } catch (error) {
          photo.destroy();
          throw error;
        }
      });
    });
  }

  function readLink(request: Request): string {
    const { url } = parseBody(request, PhotoLinkRequest);
    if (url.length > LINK_REQUEST_BYTES) throw new AppError(422, REMOTE_ERRORS.linkTooLong);
    return url.trim();
  }

  function googlePickerRoutes(): void {
    router.post(`${REMOTE_PATH}/google-picker/get`, requireUser, async (request, response) => {
      const picked = parseBody(request, PickedFile);
      if (picked.platform === 'photos') checkGooglePhotosUrl(picked.url ?? '');
      else if (!picked.fileId) throw new MalformedError('Please send the id of the file.');
      const source = picked.platform === 'photos' ? 'google-photos-picker' : 'google-drive-picker';
      await sendTransfer(
        request,
        response,
        (service, { body, requestId }) => {
          const call = { method: 'POST', path: '/google-picker/get', requestId } as const;
          return service.call({ ...call, body: { ...picked, ...body } });
        },
        (status, json) => toPickerError(source, status, json),
      );
    });
  }

  function checkGooglePhotosUrl(address: string): void {
    try {
      const { protocol, hostname } = parsePublicUrl(address);
      if (protocol === 'https:' && GOOGLE_PHOTOS_HOST.test(hostname)) return;
    } catch (error) {
      throw error instanceof GetError ? toLinkError(error.reason) : error;
    }
    throw new AppError(422, REMOTE_ERRORS.forbiddenAddress, { security: { event: 'refused-address' } });
  }

  function vendorRoutes(source: OAuthSource): void {
    const provider = PROVIDERS[source];
    const vendor = REMOTE_SOURCE_NAMES[source];
    const at = (path: string) => `${REMOTE_PATH}/${provider}/${path}`;

    router.get(at('connect'), sameSite, async (request, response) => {
      if (!request.user) return sendResult(response, 'rejected', 401);
      // The vendor redirects to this address: elsewhere the session would be missing.
      if (!config.http.publicUrl && request.hostname !== new URL(context.baseUrl.origin()).hostname)
        return sendResult(response, 'wrong-address');
      const step = { companion: await companion(), provider, requestId: request.id };
      const signIn = await startSignIn(context, step);
      if (!signIn) return sendResult(response, 'rejected', 502);
      request.session.vendorSignIns = { ...request.session.vendorSignIns, [provider]: signIn.grant };
      await saveSession(request);
      response.set('Cache-Control', 'no-store').redirect(signIn.url);
    });

    router.use([at('redirect'), at('send-token')], keepOpener);

    // From the vendor's site, which the vendor's own `state` proves.
    router.get(at('redirect'), async (request, response) => {
      if (!request.user) return sendResult(response, 'rejected', 401);
      const { [provider]: grant, ...others } = request.session.vendorSignIns ?? {};
      request.session.vendorSignIns = others;
      const query = new URL(request.originalUrl, 'http://relative').search;
      const step = { companion: await companion(), provider, requestId: request.id };
      const token = grant ? await finishSignIn(context, step, { query, grant }) : null;
      if (token) setToken(request, token);
      await saveSession(request);
      // Without the vendor's code in the address.
      response.set('Cache-Control', 'no-store').redirect(at(token ? 'send-token' : 'send-token?rejected'));
    });

    router.get(at('send-token'), (request, response) => {
      const isSignedIn = request.session.vendorTokens?.[provider] && !('rejected' in request.query);
      sendResult(response, isSignedIn ? 'signed-in' : 'rejected');
    });

    function sendResult(response: Response, result: SignInResult, status = 200): void {
      const page = <SignInPage {...{ vendor, result, appAddress: context.baseUrl.origin() }} />;
      sendPublicPage(response, { status, title: vendor, children: page });
    }

    router.post(at('refresh-token'), sameSite, requireUser, async (request, response) => {
      const { status, json } = await ask(request, { method: 'POST', path: `/${provider}/refresh-token` });
      const { uppyAuthToken } = (json ?? {}) as { uppyAuthToken?: string };
      if (status === 200 && uppyAuthToken) setToken(request, uppyAuthToken);
      else if (status < 500) {
        // Vendors answer 400 or 401 for a refresh token that the user has revoked.
        setToken(request, null);
        throw signInExpired(source);
      } else throw toVendorError(status, json);
      response.set('Cache-Control', 'no-store').json({ uppyAuthToken: SESSION_TOKEN });
    });

    router.post(at('logout'), sameSite, requireUser, async (request, response) => {
      const token = request.session.vendorTokens?.[provider];
      // The token is deleted whatever the vendor answers.
      const answer = token ? await ask(request, { path: `/${provider}/logout` }).catch(() => null) : null;
      setToken(request, null);
      response.json({ ok: true, revoked: answer?.status === 200 });
    });

    for (const path of ['list', 'list/:id', 'search'])
      router.get(at(path), sameSite, requireUser, async (request, response) => {
        const { status, json } = await ask(request, { path: companionPath(request) });
        if (status !== 200) throw toVendorError(status, json);
        response.set('Cache-Control', 'no-store').json(json);
      });

    router.get(at('thumbnail/:id'), sameSite, requireUser, async (request, response) => {
      const { status, json, headers, body } = await ask(request, { path: companionPath(request) });
      const type = headers['content-type'];
      if (status !== 200 || typeof type !== 'string' || !/^image\/(?!svg)/.test(type))
        throw toVendorError(status === 200 ? 502 : status, json);
      response.set('Cache-Control', tileCaching(request)).vary('Cookie').type(type).send(body);
    });

    router.post(at('get/:id'), sameSite, requireUser, async (request, response) => {
      const token = readToken(request);
      await sendTransfer(
        request,
        response,
        (service, call) => service.call({ ...call, method: 'POST', path: companionPath(request), token }),
        toVendorError,
      );
    });

    async function ask(request: Request, call: { method?: 'POST'; path: string }): Promise<CompanionAnswer> {
      const token = readToken(request);
      return (await companion()).call({ ...call, token, requestId: request.id });
    }

    function readToken(request: Request): string {
      const token = request.session.vendorTokens?.[provider];
      if (!token) throw signInExpired(source);
      return token;
    }

    function setToken(request: Request, token: string | null): void {
      const { [provider]: _old, ...others } = request.session.vendorTokens ?? {};
      request.session.vendorTokens = token ? { ...others, [provider]: token } : others;
    }

    function toVendorError(status: number, json: unknown): AppError {
      if (status === 401) return signInExpired(source);
      const { message } = (json ?? {}) as { message?: unknown };
      if (message === 'maxFileSize exceeded') return new TooLargeError(PHOTO_TOO_LARGE);
      // OneDrive's, for its users: an account without a license or a set-up.
      if (status === 400 && typeof message === 'string') return new AppError(424, message);
      if (status === 424)
        return new AppError(424, `${vendor} does not let us have this. Please check it there.`);
      return new AppError(502, `${vendor} does not answer at the moment. Please try again later.`);
    }
  }

  /** Starts a transfer, and sends the token of its websocket. */
  async function sendTransfer(
    request: Request,
    response: Response,
    start: (
      service: CompanionService,
      call: { body: object; requestId: string },
    ) => Promise<Pick<CompanionAnswer, 'status' | 'json' | 'abort'>>,
    toError: (status: number, json: unknown) => AppError = toTransferError,
  ): Promise<void> {
    const { id: userId } = currentUser(request);
    const destination = parseBody(request, RemoteUploadRequest);
    await rateLimits.remotePhotoPerUser.consume(userId);
    const body = await toUploadDestination(context, userId, destination, ownOrigin(request));
    const release = transfers.acquireSlot(userId);
    try {
      const service = await companion();
      const { status, json, abort } = await start(service, { body, requestId: request.id });
      const { token } = (json ?? {}) as { token?: string };
      if (status !== 200 || !token) {
        abort();
        throw toError(status, json);
      }
      transfers.watch(service.emitter, token, { userId, abort, release });
      response.set('Cache-Control', 'no-store').json({ token });
    } catch (error) {
      release();
      throw error;
    }
  }

  function sameSite(...[request, , next]: Parameters<RequestHandler>): void {
    if (!isOwnRequest(request.headers, config.http.publicUrl))
      throw new ForbiddenError('This request came from another site and was rejected.', 'refused-origin');
    next();
  }
}

/** The vendor's page has no opener policy. One on the way back would cut the connection to the page that opened the window. */
const keepOpener: RequestHandler = (_request, response, next) => {
  response.removeHeader('Cross-Origin-Opener-Policy');
  next();
};

/** Browsers PUT photos at our own URLs. Another way into the bucket would pass the album's limits. */
function rejectS3({ securityLog }: Pick<AppContext, 'securityLog'>): RequestHandler {
  return (request, response) => {
    securityLog.record('access-denied', 'refused', { request, details: { of: 'companion-s3' } });
    const message = 'This Companion server does not support uploading to S3';
    response.status(400).json({ error: message, message, code: ERROR_CODES[400] });
  };
}

function toTransferError(_status: number, json: unknown): AppError {
  const { message } = (json ?? {}) as { message?: unknown };
  if (message === 'maxFileSize exceeded') return new TooLargeError(PHOTO_TOO_LARGE);
  return new AppError(502, REMOTE_ERRORS.interrupted);
}

/** Companion passes on Google's status in its body. */
function toPickerError(source: RemoteSource, status: number, json: unknown): AppError {
  const { statusCode = status } = (json ?? {}) as { statusCode?: number };
  // 403: the address of a picked photo, which lives for an hour, has expired.
  if (statusCode === 401 || statusCode === 403) return signInExpired(source);
  if (statusCode === 404) return new AppError(424, REMOTE_ERRORS.notFound);
  return toTransferError(status, json);
}

/** A 401 of the vendor, which must not sign the user out here. */
function signInExpired(source: RemoteSource): AppError {
  return new AppError(401, signInExpiredMessage(source), { code: SIGN_IN_EXPIRED });
}

/** The address of this connection, at which this process receives uploads. */
function ownOrigin({ socket: { localAddress = '127.0.0.1', localPort } }: Request): string {
  const ipv4 = localAddress.replace(/^::ffff:/, '');
  const address = ipv4.includes(':') ? `[${ipv4}]` : ipv4;
  return `http://${address}:${localPort ?? 80}`;
}

function companionPath(request: Request): string {
  return request.originalUrl.slice(REMOTE_PATH.length);
}
