import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import {
  completeUpload,
  followRemoteUpload,
  openSocket,
  rejectionOf,
  requestRemoteUpload,
  requestUploadUrl,
} from '../../testing/clients/remote-upload.ts';
import { createTestClient, type TestClient } from '../../testing/clients/test-client.ts';
import { startAppProcess, type AppProcess } from '../../testing/environment/app-process.ts';
import { s3Settings } from '../../testing/environment/s3-settings.ts';
import { startStickyProxy, type StickyProxy } from '../../testing/environment/sticky-proxy.ts';
import { createTestDatabase } from '../../testing/environment/test-database.ts';
import { startFakeInternet, type FakeInternet } from '../../testing/fakes/fake-internet.ts';
import { makePhoto } from '../../testing/photos/photos.ts';

const PHOTO = { url: 'https://photos.example/photo.jpg' };
const s3 = inject('s3');

describe.skipIf(!s3)('two processes behind a load balancer', () => {
  let internet: FakeInternet;
  let database: Awaited<ReturnType<typeof createTestDatabase>>;
  let apps: AppProcess[];
  let proxy: StickyProxy;
  let photo: Buffer;

  beforeAll(async () => {
    photo = await makePhoto();
    internet = await startFakeInternet({ 'photos.example': (_, response) => void response.end(photo) });
    database = await createTestDatabase();
    const settings = {
      ...internet.env,
      ...(await s3Settings(s3!)),
      DATABASE_URL: database.url,
      DATABASE_POOL_SIZE: '4',
      SESSION_SECRET: 's'.repeat(32),
      REMOTE_LINKS: 'true',
    };
    apps = await Promise.all([startAppProcess(settings), startAppProcess(settings)]);
    proxy = await startStickyProxy(apps.map(({ origin }) => origin));
  });

  afterAll(async () => {
    proxy.close();
    expect(await Promise.all(apps.map((app) => app.stop()))).toEqual([0, 0]);
    await database.drop();
    await internet.close();
  });

  let accounts = 0;
  async function signUp(): Promise<TestClient> {
    const client = createTestClient(proxy.origin);
    const name = `person${++accounts}`;
    await client.post('/api/register', {
      email: `${name}@mems.example`,
      username: name,
      password: 'correct horse',
    });
    return client;
  }

  /** One whose requests go to the process. */
  async function signUpAt({ origin }: AppProcess): Promise<TestClient> {
    for (;;) {
      const client = await signUp();
      if (proxy.targetOf(client.cookie()) === origin) return client;
    }
  }

  it('add photos that each fetches for its own users', async () => {
    for (const app of apps) {
      const person = await signUpAt(app);
      const endpoint = await requestUploadUrl(person);
      const token = await requestRemoteUpload(person, '/companion/url/get', PHOTO, endpoint);
      const [other] = apps.filter((each) => each !== app);
      expect(await rejectionOf(openSocket(other!.origin, person, token))).toBe(404);
      expect(await followRemoteUpload(proxy.origin, person, token)).toMatchObject({ action: 'success' });
      const { imageUrl } = await completeUpload(person, endpoint);
      expect((await person.get(imageUrl)).bytes.equals(photo)).toBe(true);
    }
  });
});
