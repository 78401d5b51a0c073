import { createTestBucket, type TestS3 } from '../server/platform/object-storage/testing/test-bucket.ts';
import { expect, test } from './fixtures.ts';
import { makePlace, removePlace, startAndWait, type Place } from './lifecycle-app.ts';
import { signUpQuickly, toast } from './people.ts';
import { finishUpload, looksUpright, portraitFromPhone, uploadMemory } from './photos.ts';

const { S3_TEST_ENDPOINT, S3_TEST_ACCESS_KEY_ID, S3_TEST_SECRET_ACCESS_KEY } = process.env;

// Declared only where there is an S3 server; `npm test` starts one where it can, and says so where it cannot.
if (S3_TEST_ENDPOINT) {
  const s3: TestS3 = {
    endpoint: S3_TEST_ENDPOINT,
    accessKeyId: S3_TEST_ACCESS_KEY_ID ?? '',
    secretAccessKey: S3_TEST_SECRET_ACCESS_KEY ?? '',
  };
  let place: Place;

  test.beforeAll(() => {
    place = makePlace();
  });
  test.afterAll(() => removePlace(place));

  test('a photo goes from the browser straight into the bucket, and comes back upright', async ({
    browser,
  }) => {
    const bucket = await createTestBucket(s3);
    const { address } = await startAndWait(place, {
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
    await signUpQuickly(page);
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
