import sharp from 'sharp';
import { beforeAll, describe, expect, it } from 'vitest';
import { completeUpload, putPhoto } from '../../testing/factories.ts';
import { makePhoto } from '../../testing/photos.ts';
import { startTestServer, type TestServer } from '../../testing/test-server.ts';

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer({ env: { UPLOADS_PER_MINUTE: '1000' } });
});

/** Takes the decoder much longer than a small photo. */
const slowPhoto = () =>
  sharp({ create: { width: 6000, height: 6000, channels: 3, background: 'red' } })
    .png()
    .toBuffer();

describe('the decoder', () => {
  it('serves accounts in turn: many photos of one do not delay another’s', async () => {
    const [busy, other] = [await server.signUp(), await server.signUp()];
    const slow = await slowPhoto();
    const uploads = [];
    for (let n = 0; n < 6; n++) uploads.push(await putPhoto(busy, slow));
    const photo = await putPhoto(other, await makePhoto());
    const finished: string[] = [];
    const all = uploads.map(async (uploadURL) => {
      const { status } = await completeUpload(busy, { uploadURL });
      finished.push('busy');
      return status;
    });
    await expect.poll(() => finished.length, { timeout: 20_000 }).toBeGreaterThan(0);
    expect((await completeUpload(other, { uploadURL: photo })).status).toBe(201);
    // The one that was running when it came, and the one that it waited beside.
    expect(finished.length).toBeLessThanOrEqual(3);
    expect(await Promise.all(all)).toEqual(Array(6).fill(201));
  });
});
