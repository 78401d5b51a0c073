import { execFile } from 'node:child_process';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import sharp from 'sharp';
import { describe, expect, it, vi } from 'vitest';
import { HeldMessageList, HeldMessagePreviews } from '#shared/transfers/inbound-email';
import { MAX_UPLOAD_BYTES } from '#shared/transfers/upload';
import type { TestClient } from '../../../testing/clients/test-client.ts';
import { inboundEmailOf, pushEmail } from '../../../testing/data/inbound-email.ts';
import { file, multipart } from '../../../testing/data/mime.ts';
import { colorAt, makePhoto } from '../../../testing/photos/photos.ts';
import { startTestServer } from '../../../testing/test-server.ts';
import { emailKey, EMAIL_RETENTION_MS } from '../inbound-email-queries.ts';
import { purgeInboundEmailsJob } from '../purge-inbound-emails-job.ts';

let now = new Date();

const server = await startTestServer({ overrides: { clock: { now: () => now } } });

/** @returns the path of its previews */
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

describe('previews of a held message', () => {
  it('are small upright squares without metadata of the first four photos', async () => {
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

  it('of one account do not wait for those of another', async () => {
    const [busy, other] = [await server.signUp(), await server.signUp()];
    const first = await holdMail(busy, [await makePhoto({ width: 81 })]);
    const second = await holdMail(busy, [await makePhoto({ width: 82 })]);
    const { previews } = await holdMail(other, [await makePhoto({ width: 83 })]);
    // Reading a pipe waits for its writer.
    const stored = join(server.dataDir, 'objects', emailKey(first.path.split('/').at(-1) ?? ''));
    const raw = await readFile(stored);
    await rm(stored);
    await promisify(execFile)('mkfifo', [stored]);
    const waiting = [busy.get(first.previews), busy.get(second.previews)];
    expect((await other.get(previews)).status).toBe(200);
    await writeFile(stored, raw);
    expect((await Promise.all(waiting)).map(({ status }) => status)).toEqual([200, 200]);
  });

  it('are null for invalid photos only', async () => {
    const owner = await server.signUp();
    const photo = await makePhoto();
    const large = Buffer.concat([photo, Buffer.alloc(MAX_UPLOAD_BYTES)]);
    const whole = await makePhoto({ width: 400, height: 400 });
    const { previews } = await holdMail(owner, [whole.subarray(0, whole.length / 2), large, photo]);
    const seen = HeldMessagePreviews.parse((await owner.get(previews)).body);
    expect(seen).toEqual([null, null, expect.any(String)]);
  });

  it('do not decode a rejected photo again', async () => {
    const owner = await server.signUp();
    const photo = await makePhoto();
    const whole = await makePhoto({ width: 400, height: 400 });
    const { previews } = await holdMail(owner, [whole.subarray(0, whole.length / 2), photo]);
    const crop = vi.spyOn(server.context.imageDecoder, 'cropSquare');
    for (const crops of [2, 3]) {
      const seen = HeldMessagePreviews.parse((await owner.get(previews)).body);
      expect(seen).toEqual([null, expect.any(String)]);
      expect(crop).toHaveBeenCalledTimes(crops);
    }
    crop.mockRestore();
  });

  it('are available to their owner only, while the message is held', async () => {
    const [owner, other] = [await server.signUp(), await server.signUp()];
    const [accepted, rejected, expired] = [
      await holdMail(owner, [await makePhoto({ width: 70 })]),
      await holdMail(owner, [await makePhoto({ width: 71 })]),
      await holdMail(owner, [await makePhoto({ width: 72 })]),
    ];
    const statuses = async (client: TestClient) => {
      const responses = [accepted, rejected, expired].map(({ previews }) => client.get(previews));
      return (await Promise.all(responses)).map(({ status }) => status);
    };
    expect(await statuses(other)).toEqual([404, 404, 404]);
    expect(await statuses(owner)).toEqual([200, 200, 200]);
    await owner.post(`${accepted.path}/accept`);
    await owner.post(`${rejected.path}/reject`);
    // Also before the job has run.
    expect(await statuses(owner)).toEqual([404, 404, 200]);
    now = new Date(now.getTime() + EMAIL_RETENTION_MS + 1);
    await purgeInboundEmailsJob.handle(server.context, {});
    expect(await statuses(owner)).toEqual([404, 404, 404]);
  });

  it('are rate limited', async () => {
    const owner = await server.signUp();
    const { previews } = await holdMail(owner, [await makePhoto()]);
    const { previewPerUser } = server.context.rateLimits;
    await Promise.all(Array.from({ length: 99 }, () => previewPerUser.consume(owner.userId)));
    expect((await owner.get(previews)).status).toBe(200);
    const rejected = await owner.get(previews);
    expect([rejected.status, rejected.headers.get('Retry-After')]).toEqual([429, expect.any(String)]);
  });
});
