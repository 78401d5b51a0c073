import 'fake-indexeddb/auto';
import { afterEach, expect, it } from 'vitest';
import { receiveShare } from './receive-share.ts';
import {
  acceptReceived,
  deleteReceived,
  eraseReceivedOf,
  groupByShare,
  listReceived,
  MAX_WAITING_BYTES,
  MAX_WAITING_PHOTOS,
  setReceiver,
  storeReceived,
} from './received-photos.ts';

const HOUR_MS = 60 * 60 * 1000;
const NOW = Date.parse('2026-05-15T10:00:00Z');
const photo = (name: string) => new File(['photo'], name, { type: 'image/jpeg' });
const names = async (ownerId: string | null, now = NOW) =>
  (await listReceived(ownerId, now)).map(({ file }) => file.name);

const STORED = '/add-many?shared=stored';

/** Properties of a navigation's request that scripts cannot set. */
interface Navigation {
  origin?: string;
  referrer?: string;
  destination?: string;
}

async function share(
  files: File[],
  { origin, referrer = '', destination = 'document' }: Navigation = {},
): Promise<string | null> {
  const body = new FormData();
  for (const file of files) body.append('photos', file);
  const request = new Request('https://mems.example/share-target', { method: 'POST', body });
  const headers = { get: () => origin ?? null };
  Object.defineProperties(request, {
    headers: { value: headers },
    referrer: { value: referrer },
    destination: { value: destination },
  });
  const response = await receiveShare(request);
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
  await storeReceived([photo('rex.jpg')], 'one', NOW);
  expect(await names('ada')).toEqual(['rex.jpg']);
  expect(await names('ben')).toEqual([]);
  expect(await names(null)).toEqual([]);
  expect(await listReceived('ada', NOW)).toMatchObject([{ ownerId: 'ada', isAccepted: false }]);
});

it('without an account are for the next one that takes them, and then for no other', async () => {
  await setReceiver(null);
  await storeReceived([photo('rex.jpg'), photo('tom.jpg')], 'one', NOW);
  expect(await names('ben')).toEqual(['rex.jpg', 'tom.jpg']);
  const ids = (await listReceived('ada', NOW)).map(({ id }) => id);
  await acceptReceived(ids, 'ada');
  expect(await acceptReceived(ids, 'ben')).toEqual([]);
  expect(await names('ben')).toEqual([]);
  expect(await listReceived('ada', NOW)).toMatchObject([{ isAccepted: true }, { isAccepted: true }]);
});

it('are deleted after a day, whoever looks', async () => {
  await setReceiver('ada');
  await storeReceived([photo('old.jpg')], 'one', NOW - 25 * HOUR_MS);
  await storeReceived([photo('new.jpg')], 'one', NOW - 23 * HOUR_MS);
  expect(await names('ben')).toEqual([]);
  expect(await names('ada', NOW - 25 * HOUR_MS)).toEqual(['new.jpg']);
});

it('that are to be added stay until they are, also after a day', async () => {
  await setReceiver('ada');
  await storeReceived([photo('rex.jpg')], 'one', NOW - 25 * HOUR_MS);
  await acceptReceived(
    (await listReceived('ada', NOW - 25 * HOUR_MS)).map(({ id }) => id),
    'ada',
  );
  expect(await names('ada')).toEqual(['rex.jpg']);
});

it('go with a sign-out, but not those of others and of nobody', async () => {
  const now = Date.now();
  await storeReceived([photo('nobody.jpg')], 'one', now);
  await setReceiver('ada');
  await storeReceived([photo('ada.jpg')], 'one', now);
  await setReceiver('ada');
  await setReceiver('ben');
  await storeReceived([photo('ben.jpg')], 'one', now);
  await eraseReceivedOf('ben');
  expect(await names('ben', now)).toEqual(['nobody.jpg']);
  expect(await names('ada', now)).toEqual(['nobody.jpg', 'ada.jpg']);
  // Nobody is signed in now.
  await storeReceived([photo('later.jpg')], 'one', now);
  expect(await names(null, now)).toEqual(['nobody.jpg', 'later.jpg']);
});

it('lose their owner if the session had ended before the share', async () => {
  await setReceiver('ada');
  await storeReceived([photo('of-ada.jpg')], 'one', NOW);
  await setReceiver('ada');
  await storeReceived([photo('of-whom.jpg')], 'one', NOW);
  const ids = (await listReceived('ada', NOW)).map(({ id }) => id);
  await acceptReceived(ids, 'ada');
  await setReceiver(null);
  expect(await listReceived('ben', NOW)).toMatchObject([{ ownerId: null, isAccepted: false }]);
  expect(await names('ben')).toEqual(['of-whom.jpg']);
  expect(await names('ada')).toEqual(['of-ada.jpg', 'of-whom.jpg']);
});

it('come from a share of 1 to 100 photos, or say why not', async () => {
  await setReceiver('ada');
  expect(await share([photo('rex.jpg')])).toBe(STORED);
  expect(await share(Array.from({ length: 100 }, (_, n) => photo(`${n}.jpg`)))).toBe(STORED);
  expect(await listReceived('ada')).toHaveLength(101);
  expect(await share(Array.from({ length: 101 }, (_, n) => photo(`${n}.jpg`)))).toBe(
    '/add-many?shared=too-many',
  );
  expect(await share([])).toBe('/add-many?shared=failed');
  const unreadable = new Request('https://mems.example/share-target', { method: 'POST', body: 'no form' });
  expect((await receiveShare(unreadable)).headers.get('Location')).toBe('/add-many?shared=failed');
  expect(await listReceived('ada')).toHaveLength(101);
});

it('of one share are told from those of another', async () => {
  await setReceiver('ada');
  await share([photo('rex.jpg'), photo('tom.jpg')]);
  await share([photo('mia.jpg')]);
  const shares = groupByShare(await listReceived('ada'));
  expect(shares.map((each) => each.map(({ file }) => file.name))).toEqual([
    ['rex.jpg', 'tom.jpg'],
    ['mia.jpg'],
  ]);
});

it('are stored up to a number and a size, without those that are to be added, have expired or are of others', async () => {
  const many = (count: number) => Array.from({ length: count }, (_, n) => photo(`${n}.jpg`));
  const large = photo('large.jpg');
  Object.defineProperty(large, 'size', { value: MAX_WAITING_BYTES });
  await setReceiver('ben');
  await storeReceived(many(1), 'of ben', NOW);
  await setReceiver('ben');
  await setReceiver('ada');
  expect(await storeReceived([large, photo('rex.jpg')], 'large', NOW)).toBe('too-many-wait');
  await storeReceived(many(1), 'old', NOW - 25 * HOUR_MS);
  expect(await storeReceived(many(MAX_WAITING_PHOTOS), 'all', NOW)).toBe('stored');
  expect(await storeReceived(many(1), 'more', NOW)).toBe('too-many-wait');
  const [first] = await listReceived('ada', NOW);
  await acceptReceived([first!.id], 'ada');
  expect(await storeReceived(many(1), 'more', NOW)).toBe('stored');
  expect(await names('ada')).toHaveLength(MAX_WAITING_PHOTOS + 1);
});

it.each<[string, Navigation]>([
  ['a form of another site', { origin: 'https://other.example' }],
  ['a form of a neighbouring site', { referrer: 'https://other.mems.example/' }],
  ['a frame', { destination: 'iframe' }],
])('are not stored from %s', async (_, navigation) => {
  await setReceiver('ada');
  expect(await share([photo('rex.jpg')], navigation)).toBe('/add-many?shared=other-site');
  expect(await listReceived('ada')).toEqual([]);
});

it.each<[string, Navigation]>([
  ['an app that is named', { origin: 'null', referrer: 'android-app://com.example.photos/' }],
  ['an app that is not named', {}],
])('are stored from %s', async (_, navigation) => {
  await setReceiver('ada');
  expect(await share([photo('rex.jpg')], navigation)).toBe(STORED);
  expect(await names('ada')).toEqual(['rex.jpg']);
});
