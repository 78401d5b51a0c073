import sharp from 'sharp';
import { beforeAll, describe, expect, it } from 'vitest';
import { completeUpload, putPhoto } from '../../testing/factories.ts';
import { makePhoto } from '../../testing/photos.ts';
import { startTestServer, type TestServer } from '../../testing/test-server.ts';

const MANY = 12;

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer({ env: { UPLOADS_PER_MINUTE: '1000' } });
});

/** Takes the decoder much longer than a small photo. */
const slowPhoto = (n: number) =>
  sharp({ create: { width: 6000, height: 6000, channels: 3, background: { r: n, g: 0, b: 0 } } })
    .png()
    .toBuffer();

describe('the decoder', () => {
  it('serves accounts in turn: many photos of one do not delay another’s', async () => {
    const [busy, other] = [await server.signUp(), await server.signUp()];
    const uploads = [];
    for (let n = 0; n < MANY; n++) uploads.push(await putPhoto(busy, await slowPhoto(n)));
    const photo = await putPhoto(other, await makePhoto());
    const finished: string[] = [];
    const all = uploads.map(async (uploadURL) => {
      const { status } = await completeUpload(busy, { uploadURL });
      finished.push('busy');
      return status;
    });
    await expect.poll(() => finished.length, { timeout: 20_000 }).toBeGreaterThan(0);
    expect((await completeUpload(other, { uploadURL: photo })).status).toBe(201);
    // Some finish before it comes, or run then; in a single line it would be the last.
    expect(finished.length).toBeLessThanOrEqual(MANY / 2);
    expect(await Promise.all(all)).toEqual(Array(MANY).fill(201));
  });
});
