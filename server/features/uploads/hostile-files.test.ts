import sharp from 'sharp';
import { beforeAll, describe, expect, it } from 'vitest';
import type { TestClient } from '../../testing/clients/test-client.ts';
import { completeUpload, putPhoto } from '../../testing/data/factories.ts';
import { makePhoto } from '../../testing/photos/photos.ts';
import { startTestServer } from '../../testing/test-server.ts';

let owner: TestClient;

beforeAll(async () => {
  const server = await startTestServer({ env: { UPLOADS_PER_MINUTE: '1000' } });
  owner = await server.signUp();
});

const flood = () =>
  sharp({
    create: { width: 20_000, height: 10_000, channels: 3, background: 'red' },
    limitInputPixels: false,
  })
    .png({ compressionLevel: 9 })
    .toBuffer();

describe('hostile files', () => {
  it('are rejected with a message, and none becomes a memory', async () => {
    const photo = await makePhoto({ width: 1200, height: 900 });
    const files = [
      await flood(),
      photo.subarray(0, photo.length / 2),
      Buffer.concat([photo.subarray(0, 400), Buffer.alloc(4000, 0xff)]),
      Buffer.from('<html><script>alert(1)</script>'),
      Buffer.from('%PDF-1.7'),
      Buffer.from('MZ\x90\x00this program'),
      Buffer.from('RIFF\x00\x00\x00\x00WEBPVP8 '),
    ];
    const uploads = await Promise.all(files.map((file) => putPhoto(owner, file)));
    const answers = await Promise.all(uploads.map((uploadURL) => completeUpload(owner, { uploadURL })));
    expect(answers.map((each) => each.status)).toEqual(files.map(() => 415));
    for (const { body } of answers) expect((body as { message: string }).message).toMatch(/photo/);
    expect((await owner.get('/api/memories')).body).toEqual([]);

    const good = await putPhoto(owner, photo);
    expect((await completeUpload(owner, { uploadURL: good })).status).toBe(201);
  });
});
