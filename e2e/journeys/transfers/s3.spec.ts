import {
  createTestBucket,
  type TestS3,
} from '../../../server/platform/object-storage/testing/test-bucket.ts';
import { expect, test } from '../../support/fixtures.ts';
import {
  createAppFolder,
  removeAppFolder,
  startAndWait,
  type AppFolder,
} from '../../support/apps/lifecycle-app.ts';
import { registerUser, toast } from '../../support/accounts/users.ts';
import { finishUpload, looksUpright, portraitFromPhone, uploadMemory } from '../../support/screens/photos.ts';

const { S3_TEST_ENDPOINT, S3_TEST_ACCESS_KEY_ID, S3_TEST_SECRET_ACCESS_KEY } = process.env;

// Runs only with an S3 server, which `npm test` starts if possible.
if (S3_TEST_ENDPOINT) {
  const s3: TestS3 = {
    endpoint: S3_TEST_ENDPOINT,
    accessKeyId: S3_TEST_ACCESS_KEY_ID ?? '',
    secretAccessKey: S3_TEST_SECRET_ACCESS_KEY ?? '',
  };
  let installation: AppFolder;

  test.beforeAll(() => {
    installation = createAppFolder();
  });
  test.afterAll(() => removeAppFolder(installation));

  test('a photo is uploaded from the browser to the bucket and shown upright', async ({ browser }) => {
    const bucket = await createTestBucket(s3);
    const { address } = await startAndWait(installation, {
      OBJECT_STORAGE: 's3',
      S3_BUCKET: bucket.bucket,
      S3_ENDPOINT: s3.endpoint,
      S3_PATH_STYLE: 'true',
      S3_ACCESS_KEY_ID: s3.accessKeyId,
      S3_SECRET_ACCESS_KEY: s3.secretAccessKey,
    });
    const context = await browser.newContext({ baseURL: address });
    const page = await context.newPage();
    const puts: string[] = [];
    page.on('request', (request) => {
      if (request.method() === 'PUT') puts.push(new URL(request.url()).origin);
    });
    await registerUser(page);
    await page.goto('/');
    await uploadMemory(page, await portraitFromPhone(), 'In the bucket');
    await expect(toast(page)).toContainText('Success!');
    await finishUpload(page);
    const picture = page
      .getByRole('group', { name: 'Your Memory Collection' })
      .getByRole('img', { name: 'In the bucket' });
    await expect.poll(() => looksUpright(picture)).toBe(true);
    expect(puts).toEqual([new URL(s3.endpoint).origin]);
    await context.close();
  });
}
