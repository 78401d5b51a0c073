import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { completeUpload, putPhoto } from '../../testing/data/factories.ts';
import { createHeldDecoder } from '../../testing/timing/held-decoder.ts';
import { makePhoto } from '../../testing/photos/photos.ts';
import { updateUser } from '../accounts/users/user-queries.ts';
import { startTestServer } from '../../testing/test-server.ts';

/** More would wait in line until one of these is decoded. */
const SLOTS = 3;

const WITH_SMTP = {
  PUBLIC_URL: 'http://mems.example',
  SMTP_URL: 'smtp://127.0.0.1:9',
  MAIL_FROM: 'album@mems.example',
};

describe('the decoder', () => {
  it('serves accounts in turn: many photos of one do not delay another’s', async () => {
    const photo = await makePhoto();
    const decoder = createHeldDecoder();
    const accounts = (all: Uint8Array[]) => all.map((bytes) => (photo.equals(bytes) ? 'other' : 'busy'));
    const server = await startTestServer({ overrides: { startDecoderProcess: decoder.start } });
    const [busy, other] = [await server.signUp(), await server.signUp()];
    const uploads = [];
    for (let n = 1; n <= SLOTS; n++) uploads.push(await putPhoto(busy, await makePhoto({ width: 100 + n })));
    const uploadURL = await putPhoto(other, photo);

    const completed = uploads.map((each) => completeUpload(busy, { uploadURL: each }));
    await expect.poll(() => accounts(decoder.probed)).toEqual(Array(SLOTS).fill('busy'));
    completed.push(completeUpload(other, { uploadURL }));
    await expect.poll(() => accounts(decoder.probed)).toContain('other');
    // Then it is in the queue.
    await nextTurn();
    expect(accounts(decoder.decoded)).toEqual(['busy']);
    decoder.release();

    for (const { status } of await Promise.all(completed)) expect(status).toBe(201);
    expect(accounts(decoder.decoded)).toEqual(['busy', 'busy', 'other', 'busy']);
  });

  it('serves all unverified accounts together as one', async () => {
    const photo = await makePhoto();
    const decoder = createHeldDecoder();
    const accounts = (all: Uint8Array[]) =>
      all.map((bytes) => (photo.equals(bytes) ? 'verified' : 'unverified'));
    const server = await startTestServer({
      overrides: { startDecoderProcess: decoder.start },
      env: WITH_SMTP,
    });
    const [first, second, verified] = [await server.signUp(), await server.signUp(), await server.signUp()];
    await updateUser(server.context.db, verified.userId, { emailVerifiedAt: new Date() });
    const completed = [];
    for (const [n, client] of [first, first, second].entries()) {
      const uploadURL = await putPhoto(client, await makePhoto({ width: 101 + n }));
      completed.push(completeUpload(client, { uploadURL }));
      await expect.poll(() => decoder.probed).toHaveLength(n + 1);
    }
    completed.push(completeUpload(verified, { uploadURL: await putPhoto(verified, photo) }));
    await expect.poll(() => accounts(decoder.probed)).toContain('verified');
    // Then it is in the queue.
    await nextTurn();
    decoder.release();
    for (const { status } of await Promise.all(completed)) expect(status).toBe(201);
    expect(accounts(decoder.decoded)).toEqual(['unverified', 'unverified', 'verified', 'unverified']);
  });

  it('serves an account’s uploads before the background work on its photos', async () => {
    const photos = await Promise.all([101, 102, 103].map((width) => makePhoto({ width })));
    const [first, old, uploaded] = photos as [Buffer, Buffer, Buffer];
    const decoder = createHeldDecoder();
    const server = await startTestServer({
      overrides: { startDecoderProcess: decoder.start },
      env: WITH_SMTP,
    });
    const { userId } = await server.signUp();
    const inspected = [];
    for (const [bytes, priority] of [
      [first, 'inspect'],
      [old, 'background'],
      [uploaded, 'inspect'],
    ] as const) {
      inspected.push(server.context.imageDecoder.inspect(userId, bytes, priority));
      await expect.poll(() => decoder.probed).toHaveLength(inspected.length);
      // Then it is in the queue.
      await nextTurn();
    }
    decoder.release();
    await Promise.all(inspected);
    expect(decoder.decoded.map((bytes) => photos.findIndex((photo) => photo.equals(bytes)))).toEqual([
      0, 2, 1,
    ]);
  });
});
