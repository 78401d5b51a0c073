import * as z from 'zod/mini';
import { REMOTE_PATH } from '#shared/transfers/remote-source';
import { ApiError, apiPost, apiPostEmpty } from '../../../lib/api/api-client.ts';
import { withGoogleAccessToken } from './google-access-tokens.ts';
import type { RemotePhoto } from '../one-photo.ts';
import { isSignInExpired, RemoteConnectionError } from '../upload-error.ts';

/** The server gives up on a slow website sooner. */
const SILENCE_TIMEOUT_MS = 60_000;

const RemoteUpload = z.object({ token: z.string() });

const SocketMessage = z.discriminatedUnion('action', [
  z.object({
    action: z.literal('progress'),
    payload: z.object({ bytesUploaded: z.number(), bytesTotal: z.number() }),
  }),
  z.object({ action: z.literal('success') }),
  z.object({
    action: z.literal('error'),
    payload: z.object({ error: z.object({ message: z.string(), status: z.number() }) }),
  }),
]);

/*
 * Companion's two calls, instead of RequestClient.uploadRemoteFile: that one retries ten times, with delays that
 * cannot be configured.
 */

/**
 * Asks the server to fetch the photo and to store it at the endpoint.
 * @returns the token of `followRemoteUpload`, which starts it
 * @throws ApiError
 */
export async function requestRemoteUpload(
  photo: RemotePhoto,
  endpoint: string,
  signal: AbortSignal,
): Promise<string> {
  const { remote, meta, type } = photo;
  const body = { ...withGoogleAccessToken(remote), endpoint, metadata: { name: meta.name, type } };
  const request = () => apiPost(remote.url, body, RemoteUpload, {}, signal);
  try {
    return (await request()).token;
  } catch (error) {
    if (!isSignInExpired(error) || !remote.provider) throw error;
    await apiPostEmpty(`${REMOTE_PATH}/${remote.provider}/refresh-token`);
    return (await request()).token;
  }
}

interface FollowOptions {
  /** Cancels the upload. */
  signal: AbortSignal;
  onProgress: (bytesUploaded: number, bytesTotal: number) => void;
}

/** Waits until the photo is stored. Can be repeated with the same token after a lost connection. @throws ApiError, RemoteConnectionError, AbortError */
export function followRemoteUpload(token: string, { signal, onProgress }: FollowOptions): Promise<void> {
  signal.throwIfAborted();
  const url = new URL(`${REMOTE_PATH}/api/${token}`, window.location.href);
  url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:';
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(url);
    const events = new AbortController();
    let silence: number | undefined;
    const end = () => {
      events.abort();
      window.clearTimeout(silence);
      socket.close();
    };
    const fail = (error: Error) => {
      end();
      reject(error);
    };
    const lose = () => fail(new RemoteConnectionError('Socket closed unexpectedly'));
    const expectMessage = () => {
      window.clearTimeout(silence);
      silence = window.setTimeout(
        () => fail(new RemoteConnectionError('Timeout waiting for message from Companion socket')),
        SILENCE_TIMEOUT_MS,
      );
    };
    const receive = ({ data }: MessageEvent<string>) => {
      expectMessage();
      const message = SocketMessage.safeParse(JSON.parse(data)).data;
      if (message?.action === 'progress')
        onProgress(message.payload.bytesUploaded, message.payload.bytesTotal);
      if (message?.action === 'error') fail(toApiError(message.payload.error));
      if (message?.action !== 'success') return;
      end();
      resolve();
    };
    const cancel = () => {
      cancelOverSocket(socket, end);
      reject(new DOMException('Aborted', 'AbortError'));
    };
    const options = { signal: events.signal };
    socket.addEventListener('message', receive, options);
    socket.addEventListener('close', lose, options);
    // Some browsers keep the connection open when they go offline.
    window.addEventListener('offline', lose, options);
    signal.addEventListener('abort', cancel, options);
    expectMessage();
  });
}

/** As if the request had been answered so. */
function toApiError({ status, message }: { status: number; message: string }): ApiError {
  return new ApiError(status, JSON.stringify({ message }));
}

function cancelOverSocket(socket: WebSocket, end: () => void): void {
  const send = () => {
    socket.send(JSON.stringify({ action: 'cancel' }));
    end();
  };
  if (socket.readyState === WebSocket.OPEN) send();
  else socket.addEventListener('open', send, { once: true });
}
