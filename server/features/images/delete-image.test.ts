import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { v7 as uuidv7 } from 'uuid';
import { beforeAll, describe, expect, it } from 'vitest';
import { makePhoto } from '../../testing/photos/photos.ts';
import { startTestServer, type TestServer } from '../../testing/test-server.ts';
import { deleteImage } from './delete-image.ts';
import { createImage, type ImageRow } from './image-queries.ts';
import { createVariants } from './image-variants.ts';

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer();
});

async function storeImage(): Promise<ImageRow> {
  const { db, storage, imageDecoder } = server.context;
  const { userId: ownerId } = await server.signUp();
  const photo = await makePhoto();
  const objectKey = `originals/${uuidv7()}`;
  await storage.write(objectKey, photo, 'image/jpeg');
  const { tile: _, ...image } = await imageDecoder.inspect(ownerId, photo);
  return createImage(db, { ...image, ownerId, objectKey, createdAt: new Date() });
}

const remove = ({ ownerId, id }: ImageRow) =>
  server.context.db.transaction((tx) => deleteImage(server.context, tx, ownerId, id));
const listVariants = ({ id }: ImageRow) =>
  readdir(join(server.dataDir, 'objects/variants', id)).catch(() => []);

describe('deleting an image', () => {
  it('deletes its original and variants, and no other image’s', async () => {
    const [image, other] = [await storeImage(), await storeImage()];
    for (const each of [image, other]) {
      for (const variant of [200, 1600, 'full'] as const) {
        await createVariants(server.context, each, [variant], 'background');
      }
    }
    await remove(image);
    await server.drainJobs();
    expect(await listVariants(image)).toEqual([]);
    expect(await listVariants(other)).toHaveLength(3);
    expect(await server.context.storage.sizeOf(image.objectKey)).toBeNull();
    expect(await server.context.storage.sizeOf(other.objectKey)).toBeGreaterThan(0);
  });

  it('leaves no variant of a render that was running', async () => {
    const image = await storeImage();
    await remove(image);
    await createVariants(server.context, image, [200], 'interactive');
    expect(await listVariants(image)).toEqual([]);
  });
});
