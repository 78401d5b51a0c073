import type { Request, Response } from 'express';
import { REMOTE_ERRORS } from '#shared/transfers/remote-source';
import type { AppContext } from '../../platform/context.ts';
import { AppError, TooLargeError } from '../../platform/errors.ts';
import { parseBody } from '../../platform/http/validate.ts';
import type { GetLimits } from '../../platform/public-http/get-public-url.ts';
import { currentUser } from '../accounts/sessions/access/require-user.ts';
import { PHOTO_TOO_LARGE } from '../storage/photo-size.ts';
import type { CompanionResponse, CompanionService } from './companion-service.ts';
import type { RemoteTransfers } from './remote-transfers.ts';
import { RemoteUploadRequest, toUploadDestination } from './remote-upload-destination.ts';

export type RemoteRouteContext = AppContext & {
  transfers: RemoteTransfers;
  companion: () => Promise<CompanionService>;
  downloadLimits: GetLimits;
};

/** Starts a transfer, and sends the token of its websocket. */
export async function sendTransfer(
  context: RemoteRouteContext,
  request: Request,
  response: Response,
  start: (
    service: CompanionService,
    call: { body: object; requestId: string },
  ) => Promise<Pick<CompanionResponse, 'status' | 'json' | 'abort'>>,
  toError: (status: number, json: unknown) => AppError = toTransferError,
): Promise<void> {
  const { rateLimits, transfers, companion } = context;
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

export function toTransferError(_status: number, json: unknown): AppError {
  const { message } = (json ?? {}) as { message?: unknown };
  if (message === 'maxFileSize exceeded') return new TooLargeError(PHOTO_TOO_LARGE);
  return new AppError(502, REMOTE_ERRORS.interrupted);
}

/** The address of this connection, at which this process receives uploads. */
function ownOrigin({ socket: { localAddress = '127.0.0.1', localPort } }: Request): string {
  const ipv4 = localAddress.replace(/^::ffff:/, '');
  const address = ipv4.includes(':') ? `[${ipv4}]` : ipv4;
  return `http://${address}:${localPort ?? 80}`;
}
