import type { Page } from '@playwright/test';
import { expect } from '../../support/fixtures.ts';
import type { Vendors } from '../../../server/testing/vendors/vendors.ts';
import { openPopup, test } from '../../support/apps/remote-app.ts';
import {
  finishUpload,
  isMetadataStored,
  looksUpright,
  openUploader,
  uploaderDialog,
} from '../../support/screens/photos.ts';
import { registerUser } from '../../support/accounts/users.ts';

// One worker, so that the app starts once.
test.describe.configure({ mode: 'default' });

const CLOUDS = ['Dropbox', 'OneDrive', 'Google Drive'] as const;
type Cloud = (typeof CLOUDS)[number];
const VENDOR = { Dropbox: 'dropbox', OneDrive: 'onedrive', 'Google Drive': 'drive' } as const;

/** Of the stand-ins. */
const VENDORS_TOKEN = /(access|refresh)-/;
/** The calls for a photo that is uploaded once; Google Drive is also asked for its type. */
const FETCHES = {
  Dropbox: ['POST content.dropboxapi.com/2/files/download 200'],
  // The photo on the later page.
  OneDrive: ['GET public.dm.files.1drv.com/files/onedrive-file-3 200'],
  'Google Drive': Array<string>(2).fill('GET www.googleapis.com/drive/v3/files/drive-file-1 200'),
};

const readStorage = (page: Page) =>
  page.evaluate(() => JSON.stringify({ ...localStorage, ...sessionStorage }));

async function openSource(page: Page, name: string): Promise<void> {
  await uploaderDialog(page).getByRole('button', { name, exact: true }).click();
}

const signInButton = (page: Page, cloud: Cloud) =>
  uploaderDialog(page).getByRole('button', { name: `Sign in to ${cloud}` });

const fileNamed = (page: Page, name: string) => uploaderDialog(page).getByText(name, { exact: true });

/** Hides the picker of Google Drive, which replaces its browser. */
async function hideDrivePicker(page: Page): Promise<void> {
  const response = await page.request.get('/api/config');
  const config = (await response.json()) as { remoteSources: { source: string }[] };
  const remoteSources = config.remoteSources.filter(({ source }) => source !== 'google-drive-picker');
  await page.route('**/api/config', (route) => route.fulfill({ json: { ...config, remoteSources } }));
}

/** Registers and opens the uploader at a cloud's sign-in. */
async function openCloud(page: Page, cloud: Cloud): Promise<void> {
  await registerUser(page);
  if (cloud === 'Google Drive') await hideDrivePicker(page);
  await page.goto('/');
  await openUploader(page);
  await openSource(page, cloud);
}

async function signIn(page: Page, cloud: Cloud): Promise<void> {
  const popup = await openPopup(page, () => signInButton(page, cloud).click());
  await expect(popup.getByRole('heading')).toHaveText(`Sign in to ${cloud.replace(' Drive', '')}`);
  const closed = popup.waitForEvent('close');
  await popup.getByRole('button', { name: 'Allow' }).click();
  await closed;
}

async function choosePhoto(page: Page, name: string): Promise<void> {
  await fileNamed(page, name).click();
  await uploaderDialog(page).getByRole('button', { name: 'Use this photo' }).click();
}

/** Uploads the chosen photo and checks the memory. */
async function uploadChosen(page: Page): Promise<void> {
  await uploaderDialog(page).getByRole('button', { name: 'Upload photo' }).click();
  await finishUpload(page);
  await expectOneMemory(page);
}

async function expectOneMemory(page: Page): Promise<void> {
  const pictures = page.getByRole('group', { name: 'Your Memory Collection' }).getByRole('img');
  await expect(pictures).toHaveCount(1);
  await expect.poll(() => looksUpright(pictures)).toBe(true);
}

function expectFetchedOnce({ traffic }: Vendors, cloud: Cloud): void {
  expect(traffic.calls.filter((call) => FETCHES[cloud].includes(call))).toEqual(FETCHES[cloud]);
}

test('adds a photo from Google Drive', async ({ page, vendors }) => {
  await openCloud(page, 'Google Drive');
  await signIn(page, 'Google Drive');
  await choosePhoto(page, 'drive photo.jpg');
  expect(await readStorage(page)).not.toMatch(VENDORS_TOKEN);
  await uploadChosen(page);
  expectFetchedOnce(vendors, 'Google Drive');
});

test('adds a photo with the picker of Google Drive', async ({ page }) => {
  await registerUser(page);
  await page.goto('/');
  await openUploader(page);
  await signInToGoogle(page, () => openSource(page, 'Google Drive'));
  await page.frameLocator('.picker-dialog iframe').getByRole('button', { name: 'drive photo.jpg' }).click();
  await uploadChosen(page);
});

/** Answers the sign-in at Google that an action opens. */
async function signInToGoogle(page: Page, open: () => Promise<void>, answer = 'Allow'): Promise<void> {
  const popup = await openPopup(page, open);
  await expect(popup.getByRole('heading')).toHaveText('Sign in to Google');
  const closed = popup.waitForEvent('close');
  await popup.getByRole('button', { name: answer }).click();
  await closed;
}

/** Signs in and chooses the photo in the window of Google Photos. */
async function pickFromGooglePhotos(page: Page, open: () => Promise<void>): Promise<void> {
  const popups: Page[] = [];
  page.on('popup', (popup) => popups.push(popup));
  await signInToGoogle(page, open);
  await expect.poll(() => popups.length).toBe(2);
  const picker = popups[1]!;
  await expect(picker.getByRole('heading')).toHaveText('Select photos');
  await picker.getByRole('button', { name: 'photos photo.jpg' }).click();
}

// A list of clouds asks first whether the person is signed in.
test.beforeEach(({ expectErrorResponse }) =>
  CLOUDS.forEach((cloud) => expectErrorResponse(`/companion/${VENDOR[cloud]}/`)),
);

test('adds a photo from OneDrive, where some are in folders and on later pages', async ({
  page,
  vendors,
}) => {
  await openCloud(page, 'OneDrive');
  await signIn(page, 'OneDrive');
  await uploaderDialog(page).getByRole('button', { name: /Pets/ }).click();
  await expect(fileNamed(page, 'in folder.jpg')).toBeVisible();
  await uploaderDialog(page).getByRole('button', { name: 'OneDrive', exact: true }).click();
  await choosePhoto(page, 'later photo.jpg');
  expect(await readStorage(page)).not.toMatch(VENDORS_TOKEN);
  await uploadChosen(page);
  expectFetchedOnce(vendors, 'OneDrive');
});

test('adds a photo with the picker of Google Photos, after a rejected and a closed sign-in', async ({
  page,
}) => {
  await registerUser(page);
  await page.goto('/');
  await openUploader(page);
  await signInToGoogle(page, () => openSource(page, 'Google Photos'), 'Deny');
  const again = uploaderDialog(page).getByRole('button', { name: /^(Sign in|Connect)/ });
  const popup = await openPopup(page, () => again.click());
  await popup.close();
  await expect(again).toBeEnabled();
  await pickFromGooglePhotos(page, () => again.click());
  await expect.poll(() => isMetadataStored(page, 'photos photo.jpg')).toBe(true);
  expect(await readStorage(page)).not.toMatch(VENDORS_TOKEN);
  expect(await isMetadataStored(page, 'access-')).toBe(false);
  await uploadChosen(page);
});

test('adds a photo from Dropbox, after a revoked sign-in', async ({ page, vendors }) => {
  await openCloud(page, 'Dropbox');
  await signIn(page, 'Dropbox');
  await choosePhoto(page, 'dropbox photo.jpg');
  expect(await readStorage(page)).not.toMatch(VENDORS_TOKEN);
  vendors.oauth.dropbox.revokeAll();
  const uploader = uploaderDialog(page);
  await uploader.getByRole('button', { name: 'Upload photo' }).click();
  await expect(uploader).toContainText('Your Dropbox sign-in has expired. Please sign in again.');
  const popup = await openPopup(page, () => uploader.getByRole('button', { name: /Sign in/ }).click());
  await popup.getByRole('button', { name: 'Allow' }).click();
  await finishUpload(page);
  await expectOneMemory(page);
  expectFetchedOnce(vendors, 'Dropbox');
});

test('an upload that a reload interrupts is finished once', async ({
  page,
  vendors,
  expectErrorResponse,
}) => {
  // The stored URL is tried first, and rejected.
  expectErrorResponse('/api/memories/complete-upload');
  await openCloud(page, 'OneDrive');
  await signIn(page, 'OneDrive');
  await choosePhoto(page, 'onedrive photo.jpg');
  await expect.poll(() => isMetadataStored(page, 'onedrive photo.jpg')).toBe(true);
  const release = vendors.traffic.hold('1drv.com/files');
  await uploaderDialog(page).getByRole('button', { name: 'Upload photo' }).click();
  await expect.poll(() => vendors.traffic.calls.some((call) => call.includes('/content 302'))).toBe(true);
  await page.reload();
  release();
  await openUploader(page);
  await uploaderDialog(page)
    .getByRole('button', { name: /^(Upload photo|Retry|Resume)$/ })
    .click();
  await finishUpload(page);
  await expectOneMemory(page);
});
