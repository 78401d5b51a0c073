import { Readable } from 'node:stream';
import { expect, it } from 'vitest';
import { openZipPart } from './zip-part.ts';

function openZip() {
  const stored = { size: 0 };
  const zip = openZipPart(async (stream: Readable) => {
    for await (const chunk of stream) stored.size += (chunk as Buffer).length;
  });
  return { zip, stored };
}

it('a zip has room for 60,000 entries, so that none needs Zip64', async () => {
  const { zip } = openZip();
  const file = { path: 'a.jpg', bytes: Buffer.from('x') };
  const files = (count: number) => Array<typeof file>(count).fill(file);
  expect([60_000, 60_001].map((count) => zip.hasRoomFor(files(count), Infinity))).toEqual([true, false]);
  await zip.addFile(file, new Date());
  expect([59_999, 60_000].map((count) => zip.hasRoomFor(files(count), Infinity))).toEqual([true, false]);
  await zip.close();
});

it('a zip is never larger than the limit up to which it has room', async () => {
  const maxBytes = 100_000;
  const { zip, stored } = openZip();
  await zip.addText('README.txt', Readable.from(['Text that is compressed. ']), new Date());
  const bytes = Buffer.alloc(700, 'x');
  const file = (n: number) => ({ path: `photos/Rex/2024/2024-12-03 Schnöö ${n}.jpg`, bytes });
  for (let n = 0; zip.hasRoomFor([file(n)], maxBytes); n++) await zip.addFile(file(n), new Date());
  await zip.close();
  expect(stored.size).toBeLessThanOrEqual(maxBytes);
  expect(stored.size).toBeGreaterThan(0.9 * maxBytes);
});
