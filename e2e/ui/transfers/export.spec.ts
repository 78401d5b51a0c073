import { link, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Export } from '#shared/transfers/export';
import type { FakeServer } from '../../../client/src/testing/fake-server/fake-server.ts';
import { idOf, NOW } from '../../../client/src/testing/fake-server/state/fake-state.ts';
import { writeAlbumPage } from '../../../server/features/exports/album-page.ts';
import type { AlbumItem } from '../../../server/features/exports/album-spool.ts';
import { expectNoViolations } from '../../support/axe.ts';
import { openAlbumPage, photosOf } from '../../support/screens/album-page.ts';
import { smallPhoto } from '../../support/screens/photos.ts';
import { expect, test } from '../fixtures.ts';

function addExport({ state }: FakeServer, details: Partial<Export>): Export {
  const making: Export = {
    id: idOf(85),
    status: 'making',
    progress: 0,
    createdAt: NOW,
    expiresAt: null,
    parts: [],
    ...details,
  };
  state.exports = [making];
  return making;
}

test('an export shows its progress, and a failed one can be made again', async ({ page, server }) => {
  const making = addExport(server, { progress: 42 });
  // As from the email.
  await page.goto('/gallery');
  await page.goto('/account#export');
  const progress = page.getByRole('progressbar', { name: 'Packing your album' });
  await expect(progress).toHaveAttribute('aria-valuenow', '42');
  await expect(progress).toBeInViewport();
  await expectNoViolations(page);

  // The page follows it.
  making.status = 'failed';
  await expect(page.getByText('We could not pack everything this time.')).toBeVisible();
  await expectNoViolations(page);
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(progress).toHaveAttribute('aria-valuenow', '0');
  const parts = [{ number: 1, byteSize: 1000, url: `/api/exports/parts/${idOf(7)}` }];
  Object.assign(server.state.exports[0]!, { status: 'completed', progress: 100, parts });
  await expect(page.getByRole('button', { name: /^Download \(/ })).toBeVisible();
});

test('the album page of an export shows 10,000 memories and loads only photos in sight', async ({
  page,
}, testInfo) => {
  const folder = testInfo.outputPath('album');
  await mkdir(folder, { recursive: true });
  const items = Array.from({ length: 10_000 }, (_, index) => toItem(index));
  const spool = {
    read: () => toAsync(items),
    write: () => Promise.resolve(),
    close: () => Promise.resolve(),
  };
  const texts: string[] = [];
  const album = { ownerName: 'Mara', exportedAt: new Date(NOW) };
  for await (const text of writeAlbumPage(spool, album)) texts.push(text);
  await writeFile(join(folder, 'index.html'), texts.join(''));
  await mkdir(join(folder, 'previews'));
  const { buffer } = await smallPhoto(300, 200);
  // Each has its own preview, of which the page asks for those in sight.
  const preview = join(folder, 'preview.jpg');
  await writeFile(preview, buffer);
  await Promise.all(items.map(({ image }) => link(preview, join(folder, `previews/${image?.id}.webp`))));
  let loaded = 0;
  page.on('request', (request) => (loaded += Number(request.url().includes('/previews/'))));
  const requests = await openAlbumPage(page, folder);
  await expect(page.getByText('10,000 memories')).toBeVisible();
  await expect(photosOf(page).first()).toBeVisible();
  expect(loaded).toBeLessThan(200);
  const search = page.getByRole('searchbox', { name: 'Search' });
  await search.fill('walk 9999');
  await expect(photosOf(page)).toHaveCount(1);
  await search.fill('');
  // Down to the end.
  const more = page.getByRole('button', { name: 'Show more' });
  const before = await photosOf(page).count();
  await more.scrollIntoViewIfNeeded();
  await expect.poll(() => photosOf(page).count()).toBeGreaterThan(before);
  expect(requests).toEqual([]);
});

function toItem(index: number): AlbumItem {
  const id = `00000000-0000-7000-8000-${String(index).padStart(12, '0')}`;
  const day = new Date(Date.UTC(2015, 0, 1 + (index % 4000))).toISOString().slice(0, 10);
  const file = {
    path: `photos/Rex/${day.slice(0, 4)}/${day} ${id.slice(-8)}.jpg`,
    contentType: 'image/jpeg',
    byteSize: 1000,
    sha256: '0'.repeat(64),
    width: 300,
    height: 200,
  };
  return {
    list: 'memories',
    value: {
      id,
      petId: null,
      caption: `Walk ${index}`,
      tags: ['walk'],
      isLiked: false,
      memoryDate: day,
      addedDay: day,
      source: 'web',
      createdAt: `${day}T12:00:00.000Z`,
      deletedAt: null,
      file,
    },
    image: { id, objectKey: '', copyVersion: 2, isTurned: false, ...file },
  };
}

// eslint-disable-next-line @typescript-eslint/require-await
async function* toAsync(items: AlbumItem[]): AsyncGenerator<AlbumItem> {
  yield* items;
}
