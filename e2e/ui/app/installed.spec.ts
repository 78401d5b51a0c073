import { createHash } from 'node:crypto';
import { cp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { fillSignIn, toast } from '../../support/accounts/users.ts';
import { expectNoViolations } from '../../support/axe.ts';
import { smallPhoto } from '../../support/screens/photos.ts';
import { CLIENT_FOLDER } from '../fake-app.ts';
import { expect, test as base } from '../fixtures.ts';

/** The service worker has no fixed clock, so the page has none, either: they compare times. */
const test = base.extend({ fixedClock: async ({}, use) => use() });
test.use({ serviceWorkers: 'allow' });

const progress = (page: Page) => page.getByRole('region', { name: 'Progress' });
const sharedPhotos = (page: Page) => page.getByRole('region', { name: 'Shared photos' });

/** Opens a page, and waits until all of the app is stored. */
async function install(page: Page): Promise<void> {
  await page.goto('/pets');
  await untilInstalled(page);
}

async function untilInstalled(page: Page): Promise<void> {
  await page.evaluate(async () => void (await navigator.serviceWorker.ready));
  await expect
    .poll(() => page.evaluate(async () => (await navigator.serviceWorker.ready).active?.state))
    .toBe('activated');
}

/** As a share sheet does, which navigates with a form. */
async function share(page: Page, count: number, origin = ''): Promise<void> {
  const photos = [];
  for (let n = 0; n < count; n++) photos.push([...(await smallPhoto()).buffer]);
  const landed = page.waitForURL(/\/add-many\?shared=/);
  const submit = ({ all, action }: { all: number[][]; action: string }) => {
    const form = document.createElement('form');
    Object.assign(form, { method: 'post', action, enctype: 'multipart/form-data' });
    const input = document.createElement('input');
    Object.assign(input, { type: 'file', name: 'photos', multiple: true });
    const data = new DataTransfer();
    // Share sheets call many photos the same.
    for (const bytes of all)
      data.items.add(new File([new Uint8Array(bytes)], 'image.jpg', { type: 'image/jpeg' }));
    input.files = data.files;
    form.append(input);
    document.body.append(form);
    form.submit();
  };
  await page.evaluate(submit, { all: photos, action: `${origin}/share-target` });
  await landed;
}

test('the app alone is stored, nothing of an account: offline the shell opens, and goes on by itself once online', async ({
  page,
  context,
  server,
}) => {
  await install(page);
  // Through the service worker.
  for (const path of ['/', '/gallery', '/account']) await page.goto(path);
  const stored = await page.evaluate(async () => {
    const caches = await Promise.all((await window.caches.keys()).map((name) => window.caches.open(name)));
    const requests = (await Promise.all(caches.map((cache) => cache.keys()))).flat();
    return requests.map(({ url }) => new URL(url).pathname);
  });
  expect(stored).toContain('/index.html');
  expect(stored.filter((path) => path.startsWith('/assets/')).length).toBeGreaterThan(20);
  const rootFiles = ['/index.html', '/theme.js', '/favicon.svg', '/manifest.webmanifest'];
  expect(stored.filter((path) => !path.startsWith('/assets/')).toSorted()).toEqual(rootFiles.toSorted());

  await context.setOffline(true);
  for (const path of ['/gallery', '/', '/add-many']) {
    await page.goto(path);
    await expect(page.getByRole('heading', { name: 'You are offline' })).toBeVisible();
  }
  await expectNoViolations(page);
  expect(server.state.isSignedIn).toBe(true);
  await context.setOffline(false);
  // Nobody was signed out.
  await expect(page.getByRole('heading', { name: 'Add many' })).toBeVisible();
});

test('photos shared offline wait for a word, and come in once online, on any page', async ({
  page,
  context,
  server,
}) => {
  await install(page);
  await context.setOffline(true);
  await share(page, 3);
  await expect(sharedPhotos(page)).toContainText('3 shared photos wait here. Add them to your album?');
  await expectNoViolations(page);
  await sharedPhotos(page).getByRole('button', { name: 'Add when online' }).click();
  await expect(sharedPhotos(page)).toContainText('are added when you are back online');
  // Closed and opened again.
  await page.goto('/add-many');
  await expect(sharedPhotos(page)).toContainText('3 shared photos wait here, and are added');
  expect(server.state.album.memories).toEqual([]);
  await context.setOffline(false);
  await expect(progress(page).getByRole('heading')).toHaveText('3 of 3 are in');
  expect(server.state.album.memories).toHaveLength(3);
  // Neither asked again nor sent again.
  await page.getByRole('button', { name: 'Finish' }).click();
  await expect(progress(page)).toBeHidden();
  await page.goto('/add-many');
  await expect(page.getByRole('button', { name: 'Choose photos' })).toBeVisible();
  await expect(sharedPhotos(page)).toBeHidden();
  await expect(progress(page)).toBeHidden();

  await context.setOffline(true);
  await share(page, 2);
  await sharedPhotos(page).getByRole('button', { name: 'Add when online' }).click();
  await expect(sharedPhotos(page)).toContainText('are added when you are back online');
  await page.goto('/gallery');
  await context.setOffline(false);
  await expect(toast(page)).toContainText('2 shared photos are being added');
  await expect.poll(() => server.state.album.memories.length).toBe(5);
});

test('photos shared by a signed-in person are added after a question, also across a reload', async ({
  page,
  server,
}) => {
  await install(page);
  await share(page, 2);
  await expect(sharedPhotos(page)).toContainText('2 shared photos wait. Add them to your album?');
  await expectNoViolations(page);
  let isAnswered = false;
  await page.route('**/uploads/*', (route) => (isAnswered ? route.continue() : undefined));
  await sharedPhotos(page).getByRole('button', { name: 'Add 2 photos' }).click();
  await expect(progress(page).getByRole('heading')).toHaveText('0 of 2 are in');
  isAnswered = true;
  page.on('dialog', (dialog) => void dialog.accept());
  await page.reload();
  // Their bytes are kept: nobody has to choose them again.
  await expect(progress(page).getByRole('heading')).toHaveText('2 of 2 are in');
  expect(server.state.album.memories).toHaveLength(2);
});

test('a share that failed is said, also where photos of another wait, and offline', async ({
  page,
  context,
}) => {
  await install(page);
  await share(page, 1);
  await share(page, 101);
  await expect(page.getByRole('alert')).toContainText('Up to 100 photos');
  await expect(sharedPhotos(page)).toContainText('1 shared photo waits.');
  await context.setOffline(true);
  await page.reload();
  await expect(page.getByRole('heading', { name: 'You are offline' })).toBeVisible();
  await expect(page.getByRole('alert')).toContainText('Up to 100 photos');
});

test('shared photos that a full album rejected wait for a word, also across a reload', async ({
  page,
  server,
}) => {
  await install(page);
  const { limitBytes } = server.state.storage;
  server.state.storage.limitBytes = 1;
  await share(page, 2);
  await sharedPhotos(page).getByRole('button', { name: 'Add 2 photos' }).click();
  await expect(sharedPhotos(page)).toContainText('2 shared photos were not added, since your album is full.');
  await expectNoViolations(page);
  await page.getByRole('button', { name: 'Finish' }).click();
  await expect(progress(page)).toBeHidden();
  const uploads = () => server.requests.filter((each) => each === 'POST /api/objects/upload').length;
  const sent = uploads();
  await page.reload();
  await expect(sharedPhotos(page)).toContainText('2 shared photos were not added');
  await expect(page.getByRole('button', { name: 'Choose photos' })).toBeVisible();
  expect(uploads()).toBe(sent);
  server.state.storage.limitBytes = limitBytes;
  await sharedPhotos(page).getByRole('button', { name: 'Try again' }).click();
  await expect(progress(page).getByRole('heading')).toHaveText('2 of 2 are in');
  await expect(sharedPhotos(page)).toBeHidden();
  server.state.storage.limitBytes = 1;
  await share(page, 1);
  await sharedPhotos(page).getByRole('button', { name: 'Add 1 photo' }).click();
  await sharedPhotos(page).getByRole('button', { name: 'Discard' }).click();
  await page.reload();
  await expect(page.getByRole('button', { name: 'Choose photos' })).toBeVisible();
  await expect(sharedPhotos(page)).toBeHidden();
});

test('each share is added or discarded on its own', async ({ page, server }) => {
  await install(page);
  await share(page, 2);
  await share(page, 1);
  const first = sharedPhotos(page).getByRole('group', { name: '2 shared photos wait.' });
  const second = sharedPhotos(page).getByRole('group', { name: '1 shared photo waits.' });
  await expect(first).toBeVisible();
  await expect(page.locator('main button.bg-accent')).toHaveText(['Add 2 photos']);
  await expectNoViolations(page);
  await first.getByRole('button', { name: 'Discard' }).click();
  await expect(first).toBeHidden();
  await expect(page.locator('main button.bg-accent')).toHaveText(['Add 1 photo']);
  await second.getByRole('button', { name: 'Add 1 photo' }).click();
  await expect(progress(page).getByRole('heading')).toHaveText('1 of 1 are in');
  await expect(page.locator('main button.bg-accent')).toHaveText(['Finish']);
  expect(server.state.album.memories).toHaveLength(1);
});

test('photos that another site posts here are not stored', async ({ page, server }) => {
  await install(page);
  await page.route('http://other.example/', (route) =>
    route.fulfill({ contentType: 'text/html', body: '<meta name="referrer" content="origin">' }),
  );
  await page.goto('http://other.example/');
  await share(page, 1, server.state.origin);
  await expect(page).toHaveURL('/add-many?shared=other-site');
  await expect(page.getByRole('alert')).toContainText('Another website tried to share photos here.');
  await expect(page.getByRole('button', { name: 'Choose photos' })).toBeVisible();
  await expect(sharedPhotos(page)).toBeHidden();
});

test('photos shared before the sign-in are asked about after it, and go if they are discarded', async ({
  page,
  server,
}) => {
  await install(page);
  server.state.isSignedIn = false;
  await page.goto('/auth');
  await expect(page.getByRole('button', { name: 'Sign In', exact: true })).toBeVisible();
  await share(page, 1);
  await expect(page).toHaveURL(/\/auth/);
  await fillSignIn(page, { email: server.state.user.email, password: server.state.password });
  await page.getByRole('button', { name: 'Sign In', exact: true }).click();
  await toast(page).getByRole('button', { name: 'Show it' }).click();
  await expect(sharedPhotos(page)).toContainText('1 shared photo waits. Add it to your album?');
  await sharedPhotos(page).getByRole('button', { name: 'Discard' }).click();
  await expect(sharedPhotos(page)).toBeHidden();
  await page.reload();
  await expect(page.getByRole('button', { name: 'Choose photos' })).toBeVisible();
  await expect(sharedPhotos(page)).toBeHidden();
  expect(server.state.album.memories).toEqual([]);
});

test('a sign-out leaves no shared photo of the person', async ({ page, context }) => {
  await install(page);
  await share(page, 2);
  await expect(sharedPhotos(page)).toContainText('2 shared photos wait.');
  await page.getByRole('button', { name: 'Logout' }).click();
  await expect(toast(page)).toContainText('Signed out');
  const rows = await page.evaluate(
    () =>
      new Promise<number>((resolve, reject) => {
        const opening = indexedDB.open('share-target');
        opening.onerror = () => reject(new Error(opening.error?.message));
        opening.onsuccess = () => {
          const counting = opening.result.transaction('photos').objectStore('photos').count();
          counting.onsuccess = () => resolve(counting.result);
        };
      }),
  );
  expect(rows).toBe(0);
  await context.setOffline(true);
  await page.goto('/gallery');
  await expect(page.getByRole('heading', { name: 'You are offline' })).toBeVisible();
  await expect(page.getByRole('img')).toHaveCount(0);
});

test('without a service worker a share asks to be repeated', async ({ page }) => {
  await page.goto('/add-many?shared=no-worker');
  await expect(page.getByRole('alert')).toContainText('did not arrive');
});

test('an update waits until the person reloads; the old page keeps its own chunks', async ({
  page,
  context,
  fakeApp,
}, testInfo) => {
  const next = testInfo.outputPath('next');
  const renamed = await rebuild(next);
  await install(page);
  await page.goto('/');
  const other = await context.newPage();
  await other.goto('/');
  const requested: string[] = [];
  for (const each of [page, other])
    each.on('request', (request) => requested.push(new URL(request.url()).pathname));

  fakeApp.deploy(next);
  await page.evaluate(async () => (await navigator.serviceWorker.ready).update());
  await expect(toast(page)).toContainText('A new version is ready');
  // Loaded for the first time, and no longer on the server.
  await other.getByRole('link', { name: 'Contacts' }).first().click();
  await expect(other.getByRole('heading', { name: /contacts/i }).first()).toBeVisible();
  expect(requested.filter((path) => renamed.has(path))).toEqual([]);

  await toast(page).getByRole('button', { name: 'Reload' }).click();
  await expect(page.locator('script[type=module][src*="-next"]').first()).toBeAttached();
  // The other page is of the old version still, with the new service worker.
  requested.length = 0;
  await other.getByRole('link', { name: 'Timeline' }).first().click();
  await expect(other.getByRole('heading', { name: /timeline/i }).first()).toBeVisible();
  expect(requested.filter((path) => renamed.has(path)).every((path) => !path.includes('timeline'))).toBe(
    true,
  );

  // Once it is closed, too, nothing of the old version is left.
  await other.close();
  await expect
    .poll(async () => {
      // The service worker looks for old versions on each navigation.
      await page.goto('about:blank');
      await page.goto('/');
      return page.evaluate(async () => (await caches.keys()).length);
    })
    .toBe(1);
});

/** A copy of the build in which each chunk has another name, as after a change of all. @returns the new names */
async function rebuild(folder: string): Promise<Set<string>> {
  await cp(CLIENT_FOLDER, folder, { recursive: true });
  const assets = join(folder, 'assets');
  const names = (await readdir(assets)).filter((name) => /\.(js|css)$/.test(name));
  for (const name of await readdir(assets)) if (name.endsWith('.br')) await rm(join(assets, name));
  const nextName = (name: string) => name.replace(/\.(js|css)$/, '-next.$1');
  for (const name of names) await rename(join(assets, name), join(assets, nextName(name)));
  const texts = [
    ...names.map((name) => `assets/${nextName(name)}`),
    ...['index.html', 'service-worker.js', '.vite/manifest.json'],
  ];
  const pattern = new RegExp(names.map((name) => name.replaceAll('.', '\\.')).join('|'), 'g');
  for (const text of texts) {
    const path = join(folder, text);
    const changed = (await readFile(path, 'utf8')).replace(pattern, nextName);
    await writeFile(path, changed);
  }
  const worker = join(folder, 'service-worker.js');
  const source = await readFile(worker, 'utf8');
  const version = createHash('sha256').update(source).digest('hex').slice(0, 16);
  await writeFile(worker, source.replace(/version:"[0-9a-f]{16}"/, `version:"${version}"`));
  return new Set(names.map((name) => `/assets/${nextName(name)}`));
}
