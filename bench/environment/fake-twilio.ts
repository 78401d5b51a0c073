import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { copyOfPhoto } from '../../server/testing/photos/photos.ts';

export const SMS_ACCOUNT = { sid: `AC${'0123456789abcdef'.repeat(2)}`, authToken: 'for-the-bench-only' };
export const PRODUCT_NUMBER = '+12025550100';

export type FakeTwilio = { origin: string; photo: (bytes: Buffer) => void; end(): Promise<void> };

/** Accepts every SMS and serves the JPEG for every GET, each time with its own bytes. */
export async function startFakeTwilio(): Promise<FakeTwilio> {
  let photo: Buffer = Buffer.alloc(0);
  const server = createServer((request, response) => {
    if (request.method === 'GET')
      return void response.writeHead(200, { 'Content-Type': 'image/jpeg' }).end(copyOfPhoto(photo));
    request.resume();
    response.writeHead(201, { 'Content-Type': 'application/json' }).end('{}');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    photo: (bytes) => (photo = bytes),
    async end() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}
