import { beforeAll, describe, expect, it } from 'vitest';
import { v7 as uuidv7 } from 'uuid';
import { inboundMessages } from '../../platform/db/schema/inbound-sms.ts';
import { InvalidError } from '../../platform/errors.ts';
import { memoriesOf } from '../../testing/album.ts';
import { makePhoto } from '../../testing/photos.ts';
import type { TestClient } from '../../testing/test-client.ts';
import { startTestServer, type TestServer } from '../../testing/test-server.ts';
import { ingestPhoto, type IncomingPhoto } from './ingest-photo.ts';

let server: TestServer;
let owner: TestClient & { userId: string };

beforeAll(async () => {
  server = await startTestServer();
  owner = await server.signUp();
});

async function aPhoto({ context: { db } } = server, ownerId = owner.userId): Promise<IncomingPhoto> {
  const photo = await makePhoto();
  const inboundMessageId = uuidv7();
  await db.insert(inboundMessages).values({
    id: inboundMessageId,
    ownerId,
    provider: 'twilio',
    providerMessageId: inboundMessageId,
    sender: '+12065550123',
    kind: 'photos',
    media: [],
    status: 'accepted',
    createdAt: new Date(),
  });
  return {
    ownerId,
    inboundMessageId,
    position: 0,
    story: { source: 'mms', timeZone: 'UTC', caption: 'At the beach' },
    read: () => Promise.resolve(photo),
  };
}

describe('a photo of a message', () => {
  it('becomes one memory, however often it is taken in, also at the same moment', async () => {
    const photo = await aPhoto();
    const made = await Promise.all([1, 2, 3].map(() => ingestPhoto(server.context, photo)));
    made.push(await ingestPhoto(server.context, { ...photo, read: () => Promise.reject(new Error('gone')) }));
    const [memory, ...others] = await memoriesOf(owner);
    expect(others).toEqual([]);
    expect(made).toEqual(made.map(() => ({ status: 'added', memoryId: memory?.id })));
    expect(memory).toMatchObject({ source: 'mms', caption: 'At the beach', width: 60, height: 90 });
    expect((await owner.get(memory?.imageUrl ?? '')).bytes).toEqual(await photo.read());
  });

  it('becomes a memory by itself in each place of a message, though it is the same', async () => {
    const photo = await aPhoto();
    await ingestPhoto(server.context, photo);
    await ingestPhoto(server.context, { ...photo, position: 1 });
    expect(await memoriesOf(owner)).toHaveLength(3);
  });

  it.each([
    ['no photo', () => Promise.resolve(Buffer.from('hello')), 'This file is not a photo we can read.'],
    [
      'too large',
      () => Promise.resolve(Buffer.alloc(10 * 1024 ** 2 + 1)),
      'This photo is larger than 10 MB.',
    ],
    ['not to be had', () => Promise.reject(new InvalidError('It is gone.', {})), 'It is gone.'],
  ])('is refused for good when it is %s', async (_name, read, message) => {
    const before = await memoriesOf(owner);
    const photo = await aPhoto();
    const refused = await ingestPhoto(server.context, { ...photo, read });
    expect(refused).toEqual({ status: 'refused', message: expect.stringContaining(message) as string });
    // Also when its bytes turn out well the next time: the answer has been given.
    expect(await ingestPhoto(server.context, photo)).toEqual(refused);
    expect(await memoriesOf(owner)).toEqual(before);
  });

  it('can be tried again after any other failure', async () => {
    const photo = await aPhoto();
    const read = () => Promise.reject(new Error('the network is down'));
    await expect(ingestPhoto(server.context, { ...photo, read })).rejects.toThrow('the network is down');
    expect(await ingestPhoto(server.context, photo)).toMatchObject({ status: 'added' });
  });

  it('is refused when the album is full', async () => {
    const small = await startTestServer({ env: { STORAGE_LIMIT_GB: '0.000001' } });
    const photo = await aPhoto(small, (await small.signUp()).userId);
    const large = await makePhoto({ width: 600, height: 900, format: 'png' });
    const refused = await ingestPhoto(small.context, { ...photo, read: () => Promise.resolve(large) });
    expect(refused).toMatchObject({ message: expect.stringContaining('Your album is full') as string });
  });
});
