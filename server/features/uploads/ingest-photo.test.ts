import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { v7 as uuidv7 } from 'uuid';
import { inboundMessages } from '../../platform/db/schema/transfers/inbound-sms.ts';
import { memoriesOf } from '../../testing/clients/album.ts';
import { makePhoto } from '../../testing/photos/photos.ts';
import type { TestClient } from '../../testing/clients/test-client.ts';
import { startTestServer, type TestServer } from '../../testing/test-server.ts';
import { ingestPhoto, type IncomingPhoto } from './ingest-photo.ts';
import { rejectionMessage } from './upload-rejection.ts';

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
    attempts: 1,
    details: { source: 'mms', timeZone: 'UTC', caption: 'At the beach' },
    read: () => Promise.resolve(photo),
  };
}

describe('a photo of a message', () => {
  it('becomes one memory, even if it is ingested repeatedly and concurrently', async () => {
    const photo = await aPhoto();
    const results = await Promise.all([1, 2, 3].map(() => ingestPhoto(server.context, photo)));
    results.push(
      await ingestPhoto(server.context, { ...photo, read: () => Promise.reject(new Error('gone')) }),
    );
    const [memory, ...others] = await memoriesOf(owner);
    expect(others).toEqual([]);
    expect(results).toMatchObject(results.map(() => ({ kind: 'completed', memory: { id: memory?.id } })));
    expect(memory).toMatchObject({ source: 'mms', caption: 'At the beach', width: 60, height: 90 });
    expect((await owner.get(memory?.imageUrl ?? '')).bytes).toEqual(await photo.read());
  });

  it('becomes one memory, however often its bytes are in the message', async () => {
    const before = await memoriesOf(owner);
    const photo = await aPhoto();
    const first = await ingestPhoto(server.context, photo);
    const second = await ingestPhoto(server.context, { ...photo, position: 1 });
    expect([first, second]).toMatchObject([{ before: 'none' }, { before: 'album' }]);
    expect(await memoriesOf(owner)).toHaveLength(before.length + 1);
    await server.drainJobs();
    expect(await readdir(join(server.dataDir, 'objects/originals'))).toHaveLength(before.length + 1);
  });

  it.each([
    ['not-a-photo', Buffer.from('hello'), 'This file is not a photo we can read.'],
    ['too-large', Buffer.alloc(10 * 1024 ** 2 + 1), 'This photo is larger than 10 MB.'],
    ['gone', 'gone', 'This photo could not be fetched.'],
  ] as const)('is rejected permanently as %s', async (reason, read, message) => {
    const before = await memoriesOf(owner);
    const photo = await aPhoto();
    const rejected = await ingestPhoto(server.context, { ...photo, read: () => Promise.resolve(read) });
    expect(rejected).toEqual({ kind: 'rejected', reason });
    expect(rejectionMessage(reason, server.context.config)).toContain(message);
    // Also if its bytes are valid the next time: the sender may have got a reply.
    expect(await ingestPhoto(server.context, photo)).toEqual(rejected);
    expect(await memoriesOf(owner)).toEqual(before);
  });

  it('can be retried after any other error', async () => {
    const photo = await aPhoto();
    const read = () => Promise.reject(new Error('the network is down'));
    await expect(ingestPhoto(server.context, { ...photo, read })).rejects.toThrow('the network is down');
    expect(await ingestPhoto(server.context, photo)).toMatchObject({ kind: 'completed' });
  });

  it('is rejected when the album is full', async () => {
    const small = await startTestServer({ env: { STORAGE_LIMIT_GB: '0.000001' } });
    const photo = await aPhoto(small, (await small.signUp()).userId);
    const large = await makePhoto({ width: 600, height: 900, format: 'png' });
    const rejected = await ingestPhoto(small.context, { ...photo, read: () => Promise.resolve(large) });
    expect(rejected).toEqual({ kind: 'rejected', reason: 'album-full' });
    expect(rejectionMessage('album-full', small.context.config)).toContain('Your album is full');
  });
});
