import 'fake-indexeddb/auto';
import { afterEach, expect, it } from 'vitest';
import { receiveShare } from './receive-share.ts';
import {
  acceptReceived,
  deleteReceived,
  eraseReceivedOf,
  listReceived,
  setReceiver,
  storeReceived,
} from './received-photos.ts';

const HOUR_MS = 60 * 60 * 1000;
const NOW = Date.parse('2026-05-15T10:00:00Z');
const photo = (name: string) => new File(['photo'], name, { type: 'image/jpeg' });
const names = async (ownerId: string | null, now = NOW) =>
  (await listReceived(ownerId, now)).map(({ file }) => file.name);

async function share(files: File[]): Promise<string | null> {
  const body = new FormData();
  for (const file of files) body.append('photos', file);
  const response = await receiveShare(
    new Request('https://mems.example/share-target', { method: 'POST', body }),
  );
  expect(response.status).toBe(303);
  return response.headers.get('Location');
}

afterEach(async () => {
  for (const user of ['ada', 'ben', null]) {
    await setReceiver(user);
    await deleteReceived((await listReceived(user, 0)).map(({ id }) => id));
  }
});

it('belong to the account that was signed in, and no other sees them', async () => {
  await setReceiver('ada');
  await storeReceived([photo('rex.jpg')], NOW);
  expect(await names('ada')).toEqual(['rex.jpg']);
  expect(await names('ben')).toEqual([]);
  expect(await names(null)).toEqual([]);
  expect(await listReceived('ada', NOW)).toMatchObject([{ ownerId: 'ada', isAccepted: false }]);
});

it('without an account are for the next one that takes them, and then for no other', async () => {
  await setReceiver(null);
  await storeReceived([photo('rex.jpg'), photo('tom.jpg')], NOW);
  expect(await names('ben')).toEqual(['rex.jpg', 'tom.jpg']);
  const ids = (await listReceived('ada', NOW)).map(({ id }) => id);
  await acceptReceived(ids, 'ada');
  expect(await acceptReceived(ids, 'ben')).toEqual([]);
  expect(await names('ben')).toEqual([]);
  expect(await listReceived('ada', NOW)).toMatchObject([{ isAccepted: true }, { isAccepted: true }]);
});

it('are deleted after a day, whoever looks', async () => {
  await setReceiver('ada');
  await storeReceived([photo('old.jpg')], NOW - 25 * HOUR_MS);
  await storeReceived([photo('new.jpg')], NOW - 23 * HOUR_MS);
  expect(await names('ben')).toEqual([]);
  expect(await names('ada', NOW - 25 * HOUR_MS)).toEqual(['new.jpg']);
});

it('that are to be added stay until they are, also after a day', async () => {
  await setReceiver('ada');
  await storeReceived([photo('rex.jpg')], NOW - 25 * HOUR_MS);
  await acceptReceived(
    (await listReceived('ada', NOW - 25 * HOUR_MS)).map(({ id }) => id),
    'ada',
  );
  expect(await names('ada')).toEqual(['rex.jpg']);
});

it('go with a sign-out, but not those of others and of nobody', async () => {
  const now = Date.now();
  await storeReceived([photo('nobody.jpg')], now);
  await setReceiver('ada');
  await storeReceived([photo('ada.jpg')], now);
  await setReceiver('ada');
  await setReceiver('ben');
  await storeReceived([photo('ben.jpg')], now);
  await eraseReceivedOf('ben');
  expect(await names('ben', now)).toEqual(['nobody.jpg']);
  expect(await names('ada', now)).toEqual(['nobody.jpg', 'ada.jpg']);
  // Nobody is signed in now.
  await storeReceived([photo('later.jpg')], now);
  expect(await names(null, now)).toEqual(['nobody.jpg', 'later.jpg']);
});

it('become nobody’s if the session had ended before the share', async () => {
  await setReceiver('ada');
  await storeReceived([photo('of-ada.jpg')], NOW);
  await setReceiver('ada');
  await storeReceived([photo('of-whom.jpg')], NOW);
  const ids = (await listReceived('ada', NOW)).map(({ id }) => id);
  await acceptReceived(ids, 'ada');
  await setReceiver(null);
  expect(await listReceived('ben', NOW)).toMatchObject([{ ownerId: null, isAccepted: false }]);
  expect(await names('ben')).toEqual(['of-whom.jpg']);
  expect(await names('ada')).toEqual(['of-ada.jpg', 'of-whom.jpg']);
});

it('come from a share of 1 to 100 photos, or say why not', async () => {
  await setReceiver('ada');
  expect(await share([photo('rex.jpg')])).toBe('/add-many?shared=stored');
  expect(await share(Array.from({ length: 100 }, (_, n) => photo(`${n}.jpg`)))).toBe(
    '/add-many?shared=stored',
  );
  expect(await listReceived('ada')).toHaveLength(101);
  expect(await share(Array.from({ length: 101 }, (_, n) => photo(`${n}.jpg`)))).toBe(
    '/add-many?shared=too-many',
  );
  expect(await share([])).toBe('/add-many?shared=failed');
  const unreadable = new Request('https://mems.example/share-target', { method: 'POST', body: 'no form' });
  expect((await receiveShare(unreadable)).headers.get('Location')).toBe('/add-many?shared=failed');
  expect(await listReceived('ada')).toHaveLength(101);
});
