import { on, once } from 'node:events';
import { WebSocket } from 'ws';
import { MAX_UPLOAD_BYTES } from '#shared/transfers/upload';
import type { TestClient } from './test-client.ts';

export type RemoteEvent = {
  action: 'progress' | 'success' | 'error';
  payload: { bytesUploaded?: number; error?: { message: string; status: number } };
};

export async function requestUploadUrl(client: TestClient): Promise<string> {
  const response = await client.post('/api/objects/upload', {
    contentType: 'image/jpeg',
    size: MAX_UPLOAD_BYTES,
  });
  return (response.body as { uploadURL: string }).uploadURL;
}

/** As Uppy's clients do, with what they send besides. */
export async function requestRemoteUpload(
  client: TestClient,
  path: string,
  body: object,
  endpoint: string,
): Promise<string> {
  const response = await client.post(path, {
    ...body,
    endpoint,
    protocol: 's3-multipart',
    size: 3,
    fieldname: 'files[]',
    headers: {},
    httpMethod: 'POST',
    useFormData: true,
    metadata: { name: 'photo.jpg', type: 'image/jpeg' },
  });
  if (response.status !== 200) throw new Error(`${response.status} ${response.text}`);
  return (response.body as { token: string }).token;
}

export function openSocket(
  origin: string,
  client: Pick<TestClient, 'cookie'>,
  token: string,
  headers: Record<string, string> = {},
): WebSocket {
  const url = `${origin.replace('http', 'ws')}/companion/api/${token}`;
  return new WebSocket(url, { headers: { Origin: origin, Cookie: client.cookie(), ...headers } });
}

/** The last event of a transfer, once it has ended. */
export async function followRemoteUpload(
  origin: string,
  client: TestClient,
  token: string,
): Promise<RemoteEvent> {
  const socket = openSocket(origin, client, token);
  try {
    // Several messages can arrive at once.
    for await (const [message] of on(socket, 'message', { close: ['close'] })) {
      const event = JSON.parse(String(message)) as RemoteEvent;
      if (event.action !== 'progress') return event;
    }
    throw new Error('Socket closed unexpectedly');
  } finally {
    socket.close();
  }
}

/** The status of the response that rejects a websocket. */
export async function rejectionOf(socket: WebSocket): Promise<number> {
  socket.on('error', () => undefined);
  const [, response] = (await once(socket, 'unexpected-response')) as [unknown, { statusCode: number }];
  return response.statusCode;
}

export async function completeUpload(
  client: TestClient,
  uploadURL: string,
): Promise<{ id: string; imageUrl: string }> {
  const body = { uploadURL, memoryDate: '2024-05-01', caption: 'From elsewhere', tags: [] };
  const response = await client.post('/api/memories/complete-upload', body);
  if (response.status !== 201) throw new Error(`${response.status} ${response.text}`);
  return response.body as { id: string; imageUrl: string };
}
