import type { RequestListener, ServerResponse } from 'node:http';
import type { Page } from '@playwright/test';
import { startFakeInternet, type FakeInternet } from '../../../server/testing/fakes/fake-internet.ts';
import { registerUser } from '../../support/accounts/users.ts';
import { createAppFolder, removeAppFolder, startAndWait } from '../../support/apps/lifecycle-app.ts';
import { expectNoViolations } from '../../support/axe.ts';
import { expect, test as base } from '../../support/fixtures.ts';
import {
  finishUpload,
  looksUpright,
  openUploader,
  portraitFromPhone,
  uploaderDialog,
} from '../../support/screens/photos.ts';

const LINK = 'https://photos.example/rex.jpg';

/** A website with photos. */
class PhotoSite {
  readonly requests: string[] = [];
  /** Answers differently from the pages below. */
  readonly responders: RequestListener[] = [];
  readonly #photo: Buffer;

  constructor(photo: Buffer) {
    this.#photo = photo;
  }

  readonly handle: RequestListener = (request, response) => {
    const path = request.url ?? '';
    this.requests.push(path);
    const respond = this.responders.shift();
    if (respond) return respond(request, response);
    if (path === '/rex.jpg') return this.sendPhoto(response);
    if (path === '/page') return void response.setHeader('Content-Type', 'text/html').end('<h1>Rex</h1>');
    if (path === '/film.mp4') return void response.setHeader('Content-Type', 'video/mp4').end('film');
    if (path === '/loop') return void response.writeHead(302, { Location: '/loop' }).end();
    if (path === '/inside')
      return void response.writeHead(302, { Location: 'http://169.254.169.254/latest' }).end();
    if (path === '/huge.jpg')
      return void response
        .writeHead(200, { 'Content-Type': 'image/jpeg', 'Content-Length': 3_000_000_000 })
        .write('x');
    response.writeHead(404).end();
  };

  sendPhoto(response: ServerResponse): void {
    if (!response.headersSent) response.setHeader('Content-Type', 'image/jpeg');
    response.end(this.#photo);
  }
}

interface WorkerFixtures {
  site: PhotoSite;
  internet: FakeInternet;
  appUrl: string;
}

/** With an app of the worker that reaches only the website. */
const test = base.extend<{ resetSite: void }, WorkerFixtures>({
  site: [async ({}, use) => use(new PhotoSite((await portraitFromPhone()).buffer)), { scope: 'worker' }],
  internet: [
    async ({ site }, use) => {
      const internet = await startFakeInternet({ 'photos.example': site.handle });
      await use(internet);
      await internet.close();
    },
    { scope: 'worker' },
  ],
  appUrl: [
    async ({ internet }, use) => {
      const folder = createAppFolder();
      const app = await startAndWait(folder, { ...internet.env, REMOTE_LINKS: 'true' });
      await use(app.address);
      app.npm.kill('SIGTERM');
      await app.ended;
      removeAppFolder(folder);
    },
    { scope: 'worker' },
  ],
  baseURL: async ({ appUrl }, use) => use(appUrl),
  resetSite: [
    async ({ site }, use) => {
      await use();
      site.requests.length = site.responders.length = 0;
    },
    { auto: true },
  ],
});

// One worker, so that the app starts once.
test.describe.configure({ mode: 'default' });

const openLink = (page: Page) => uploaderDialog(page).getByRole('button', { name: 'or paste a link' });
const linkInput = (page: Page) => uploaderDialog(page).getByLabel('Link to the photo');
const preview = (page: Page) => uploaderDialog(page).getByRole('img', { name: 'rex.jpg' });
const upload = (page: Page) => uploaderDialog(page).getByRole('button', { name: 'Upload photo' });

async function enterLink(page: Page, link: string): Promise<void> {
  await linkInput(page).fill(link);
  await page.keyboard.press('Enter');
}

async function expectOneMemory(page: Page): Promise<void> {
  const picture = page.getByRole('group', { name: 'Your Memory Collection' }).getByRole('img');
  await expect(picture).toHaveCount(1);
  await expect.poll(() => looksUpright(picture)).toBe(true);
}

test.beforeEach(async ({ page }) => {
  await registerUser(page);
  await page.goto('/');
});

test('a photo is added by its link', async ({ page, site }) => {
  await openUploader(page);
  await expect(openLink(page)).toBeVisible();
  await expectNoViolations(page);
  await openLink(page).click();
  await expect(linkInput(page)).toBeFocused();
  await expectNoViolations(page);
  await enterLink(page, LINK);
  await expect(preview(page)).toBeVisible();
  expect(await looksUpright(preview(page))).toBe(true);
  await expect(uploaderDialog(page).getByText('You can upload it now.')).toBeVisible();
  await expect(uploaderDialog(page).getByRole('button', { name: /^Adjust photo/ })).toBeHidden();
  await expect(upload(page)).toBeFocused();
  await expectNoViolations(page);
  await upload(page).click();
  await finishUpload(page);
  await expectOneMemory(page);
  expect(site.requests).toEqual(['/rex.jpg', '/rex.jpg']);
});

test('Escape closes the link first, then the uploader', async ({ page, site }) => {
  const closed = new Promise<void>((resolve) =>
    site.responders.push((request) => request.socket.once('close', () => resolve())),
  );
  await openUploader(page);
  await openLink(page).click();
  await enterLink(page, LINK);
  await expect(uploaderDialog(page).getByRole('button', { name: 'Getting the photo...' })).toBeVisible();
  await expect.poll(() => site.requests).toEqual(['/rex.jpg']);
  // A second Enter asks for nothing.
  await page.keyboard.press('Enter');
  await page.keyboard.press('Escape');
  await expect(linkInput(page)).toBeHidden();
  await expect(openLink(page)).toBeFocused();
  // The server stops downloading too.
  await closed;
  expect(site.requests).toEqual(['/rex.jpg']);
  await openLink(page).click();
  await expect(linkInput(page)).toHaveValue('');
  await page.keyboard.press('Escape');
  await expect(openLink(page)).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(uploaderDialog(page)).toBeHidden();
});

test('a pasted link and a dropped image are added', async ({ page }) => {
  await openUploader(page);
  await expect(openLink(page)).toBeVisible();
  await transfer(page, 'paste', { 'text/plain': LINK });
  await expect(preview(page)).toBeVisible();
  await transfer(page, 'paste', { 'text/plain': LINK });
  await expect(
    uploaderDialog(page)
      .getByText(/^One photo at a time\./)
      .first(),
  ).toBeVisible();
  await uploaderDialog(page).getByRole('button', { name: 'Replace photo' }).click();
  await transfer(page, 'drop', {
    'text/uri-list': 'https://photos.example/page',
    'text/html': `<a href="https://photos.example/page"><img src="${LINK}"></a>`,
  });
  await expect(preview(page)).toBeVisible();
  await upload(page).click();
  await finishUpload(page);
  await expectOneMemory(page);
});

/** Pastes or drops data as from another page. */
async function transfer(page: Page, type: 'paste' | 'drop', data: Record<string, string>): Promise<void> {
  await page.locator('.uppy-Dashboard').evaluate(
    (dashboard, [type, data]) => {
      const transfer = new DataTransfer();
      for (const [format, text] of Object.entries(data)) transfer.setData(format, text);
      const event =
        type === 'drop'
          ? new DragEvent('drop', { bubbles: true, cancelable: true, dataTransfer: transfer })
          : new ClipboardEvent('paste', { bubbles: true, cancelable: true, clipboardData: transfer });
      dashboard.dispatchEvent(event);
    },
    [type, data] as const,
  );
}
