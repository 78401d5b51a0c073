import sharp from 'sharp';
import { beforeAll, describe, expect, it } from 'vitest';
import { HeldMessageList, HeldMessagePreviews } from '#shared/inbound-email';
import { MAX_UPLOAD_BYTES } from '#shared/upload';
import { inboundEmailOf, pushEmail } from '../../testing/mailed-photos.ts';
import { file, multipart } from '../../testing/mime.ts';
import { colorAt, makePhoto } from '../../testing/photos.ts';
import type { TestClient } from '../../testing/test-client.ts';
import { startTestServer, type TestServer } from '../../testing/test-server.ts';
import { EMAIL_KEPT_FOR_MS, purgeInboundEmailsJob } from './purge-inbound-emails-job.ts';

let server: TestServer;
let now = new Date();

beforeAll(async () => {
  server = await startTestServer({ overrides: { clock: { now: () => now } } });
});

/** @returns where its photos can be seen */
async function holdMail(owner: TestClient, photos: Buffer[]): Promise<{ path: string; previews: string }> {
  const raw = multipart(
    'mixed',
    photos.map((photo) => file(photo)),
    { headers: { From: 'stranger@else.example' } },
  );
  await pushEmail(server, await inboundEmailOf(owner), raw);
  await server.drainJobs();
  const [held] = HeldMessageList.parse((await owner.get('/api/held-messages')).body);
  const path = `/api/held-messages/${held?.id ?? ''}`;
  return { path, previews: `${path}/previews` };
}

function bytesOf(preview: string | null | undefined): Buffer {
  return Buffer.from(preview?.split(',')[1] ?? '', 'base64');
}

describe('the photos of a mail that waits', () => {
  it('are seen as small upright squares without metadata, the first four of them', async () => {
    const owner = await server.signUp();
    const photos = [await makePhoto({ width: 480, height: 480, orientation: 6 })];
    for (const width of [50, 51, 52, 53]) photos.push(await makePhoto({ width }));
    const { previews } = await holdMail(owner, photos);
    const seen = await owner.get(previews);
    expect([seen.status, seen.headers.get('Cache-Control')]).toEqual([200, 'private, no-store']);
    const squares = HeldMessagePreviews.parse(seen.body).map((each) => bytesOf(each));
    const sizes = await Promise.all(squares.map((each) => sharp(each).metadata()));
    expect(sizes.map(({ width, height }) => [width, height])).toEqual([
      [240, 240],
      [50, 50],
      [51, 51],
      [52, 52],
    ]);
    const [first = Buffer.alloc(0)] = squares;
    expect([await colorAt(first, 0.5, 0.1), await colorAt(first, 0.5, 0.9)]).toEqual(['red', 'blue']);
    for (const metadata of sizes) expect(metadata).not.toMatchObject({ exif: expect.anything() as unknown });
  });

  it('are not seen where they could not come into the album, and the others are', async () => {
    const owner = await server.signUp();
    const photo = await makePhoto();
    const large = Buffer.concat([photo, Buffer.alloc(MAX_UPLOAD_BYTES)]);
    const whole = await makePhoto({ width: 400, height: 400 });
    const { previews } = await holdMail(owner, [whole.subarray(0, whole.length / 2), large, photo]);
    const seen = HeldMessagePreviews.parse((await owner.get(previews)).body);
    expect(seen).toEqual([null, null, expect.any(String)]);
  });

  it('are their owner’s alone, and gone once that mail waits no more', async () => {
    const [owner, other] = [await server.signUp(), await server.signUp()];
    const [accepted, rejected, expired] = [
      await holdMail(owner, [await makePhoto({ width: 70 })]),
      await holdMail(owner, [await makePhoto({ width: 71 })]),
      await holdMail(owner, [await makePhoto({ width: 72 })]),
    ];
    const statuses = async (client: TestClient) => {
      const answers = [accepted, rejected, expired].map(({ previews }) => client.get(previews));
      return (await Promise.all(answers)).map(({ status }) => status);
    };
    expect(await statuses(other)).toEqual([404, 404, 404]);
    expect(await statuses(owner)).toEqual([200, 200, 200]);
    await owner.post(`${accepted.path}/accept`);
    await owner.post(`${rejected.path}/reject`);
    // Before the job has come to it, too.
    expect(await statuses(owner)).toEqual([404, 404, 200]);
    now = new Date(now.getTime() + EMAIL_KEPT_FOR_MS + 1);
    await purgeInboundEmailsJob(server.context)({});
    expect(await statuses(owner)).toEqual([404, 404, 404]);
  });

  it('are read only so often in an hour', async () => {
    const owner = await server.signUp();
    const { previews } = await holdMail(owner, [await makePhoto()]);
    const { previewPerUser } = server.context.rateLimits;
    await Promise.all(Array.from({ length: 99 }, () => previewPerUser.consume(owner.userId)));
    expect((await owner.get(previews)).status).toBe(200);
    const refused = await owner.get(previews);
    expect([refused.status, refused.headers.get('Retry-After')]).toEqual([429, expect.any(String)]);
  });
});
