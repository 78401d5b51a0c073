import { expect, it } from 'vitest';
import { openAlbumSpool, type AlbumItem } from './album-spool.ts';

const diskSpace = { requireRoomIn: () => Promise.resolve() };

function petNamed(name: string): AlbumItem {
  const unknown = { breed: null, age: null, weight: null, birthdayOrGotchaDay: null, description: null };
  const value = { id: '', name, species: 'dog' as const, ...unknown, createdAt: '', picture: null };
  return { list: 'pets', value, image: null };
}

it('reads the items as they were written, also again', async () => {
  const spool = await openAlbumSpool(diskSpace);
  const items = ['short', 'ü🐶\u2028\n'.repeat(50_000), ''].map(petNamed);
  for (const item of items) await spool.write(item);
  for (let time = 0; time < 2; time++) {
    const found = [];
    for await (const item of spool.read()) found.push(item);
    expect(found).toEqual(items);
  }
  await spool.close();
});

it('can be closed as soon as its reader stops, also when many do at once', async () => {
  const item = petNamed('x'.repeat(1000));
  const readOne = async () => {
    const spool = await openAlbumSpool(diskSpace);
    for (let n = 0; n < 200; n++) await spool.write(item);
    for await (const found of spool.read()) {
      expect(found).toEqual(item);
      break;
    }
    await spool.close();
  };
  // A read of a closed file would be an uncaught error, which fails the run.
  await Promise.all(Array.from({ length: 50 }, readOne));
});
