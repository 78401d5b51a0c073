import { expect, test } from './fixtures.ts';
import { createAppFolder, removeAppFolder, startAndWait, type AppFolder } from './lifecycle-app.ts';
import { registerUser } from './users.ts';
import { smallPhoto, uploadMemory } from './photos.ts';

let place: AppFolder;

test.beforeAll(() => {
  place = createAppFolder();
});
test.afterAll(() => removeAppFolder(place));

test('an album that is full says so before the photo is sent, and the form comes back', async ({
  browser,
}) => {
  const { address } = await startAndWait(place, { STORAGE_LIMIT_GB: '0.000001' });
  const context = await browser.newContext({ baseURL: address });
  const page = await context.newPage();
  const puts: string[] = [];
  page.on('request', (request) => request.method() === 'PUT' && puts.push(request.url()));
  await registerUser(page);
  await page.goto('/');
  await uploadMemory(page, await smallPhoto(), 'One too many');
  await expect(page.getByRole('dialog', { name: 'Add New Mems' }).getByRole('alert')).toContainText(
    'Your album is full',
  );
  await expect(page.getByLabel('Caption')).toHaveValue('One too many');
  expect(puts).toEqual([]);
  await context.close();
});
