import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import pg from 'pg';
import { copyOfPhoto } from '../../server/testing/photos/photos.ts';
import { getDatabaseConfig } from '../support/apps/database.ts';
import { portraitFromPhone, smallPhoto } from '../support/screens/photos.ts';
import {
  kill,
  createAppFolder,
  findProcesses,
  projectRoot,
  removeAppFolder,
  startAndWait,
  type App,
  type AppFolder,
  sessionCookie,
} from '../support/apps/lifecycle-app.ts';

type Memory = { id: string; imageUrl: string };
type Pdf = { id: string; status: string; url: string };

let place: AppFolder;
let app: App & { address: string };
let cookie = '';

test.beforeEach(() => {
  place = createAppFolder();
});
test.afterEach(() => removeAppFolder(place));

async function call(method: string, path: string, body?: object): Promise<{ status: number; body: unknown }> {
  const response = await fetch(new URL(path, app.address), {
    method,
    headers: { Cookie: cookie, ...(body && { 'Content-Type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  });
  cookie = sessionCookie(response) ?? cookie;
  const text = await response.text();
  return {
    status: response.status,
    body: text.startsWith('{') || text.startsWith('[') ? JSON.parse(text) : text,
  };
}

async function startSignedIn(): Promise<void> {
  app = await startAndWait(place);
  const ida = { email: 'ida@example.com', username: 'ida', password: 'correct horse' };
  expect((await call('POST', '/api/register', ida)).status).toBe(201);
}

/** The path and signature of a URL: the port changes with each start. */
async function ask({ length: size }: Buffer): Promise<string> {
  const { body } = await call('POST', '/api/objects/upload', { size });
  const url = new URL((body as { uploadURL: string }).uploadURL);
  return url.pathname + url.search;
}

async function put(path: string, bytes: Buffer): Promise<void> {
  const response = await fetch(new URL(path, app.address), { method: 'PUT', body: new Uint8Array(bytes) });
  expect(response.status).toBe(200);
}

const complete = (uploadURL: string) => call('POST', '/api/memories/complete-upload', { uploadURL });
const listMemories = async () => (await call('GET', '/api/memories')).body as Memory[];

async function killAllAndRestart(): Promise<void> {
  for (const pid of [app.npm.pid!, ...findProcesses(place)]) kill(pid, 'SIGKILL');
  await app.ended;
  app = await startAndWait(place);
}

test('an upload killed between any two steps is a memory or can still be completed', async () => {
  test.setTimeout(300_000);
  await startSignedIn();
  const { buffer } = await smallPhoto();

  const asked = await ask(buffer);
  await killAllAndRestart();
  expect((await complete(asked)).status).toBe(409);
  await put(asked, buffer);

  await killAllAndRestart();
  expect(await listMemories()).toEqual([]);
  // Decoding a HEIC takes long enough to be killed.
  const heic = readFileSync(join(projectRoot, 'server/testing/fixtures/iphone.heic'));
  const large = await ask(heic);
  await put(large, heic);
  const cutOff = complete(large).catch(() => null);
  const first = await complete(asked);
  expect(first.status).toBe(201);

  await killAllAndRestart();
  await cutOff;
  const [kept, again] = [await complete(asked), await complete(large)];
  expect([kept.status, kept.body]).toEqual([201, first.body]);
  expect(again.status).toBe(201);
  const memories = await listMemories();
  expect(memories.map(({ id }) => id).sort()).toEqual(
    [kept.body, again.body].map((each) => (each as Memory).id).sort(),
  );

  await killAllAndRestart();
  for (const { imageUrl } of await listMemories()) {
    for (const width of ['', '?w=200', '?w=1600'])
      expect((await call('GET', imageUrl + width)).status).toBe(200);
  }
});

/** Any number that the app does not lock. */
const PDF_LOCK = 20_260_314;

/** Makes the worker of a PDF wait after its first page. @returns a promise of that moment, and its end */
async function holdPdf(): Promise<{ held: () => Promise<void>; release: () => Promise<void> }> {
  const database = new pg.Client(await getDatabaseConfig(place.dataDir));
  // It is killed with Postgres.
  database.on('error', () => {});
  await database.connect();
  await database.query(`
    select pg_advisory_lock(${PDF_LOCK});
    create function hold_pdf() returns trigger language plpgsql as
      $$ begin perform pg_advisory_xact_lock(${PDF_LOCK}); return new; end $$;
    create trigger hold_pdf before update of memories_done on flipbook_pdfs
      for each row when (new.memories_done > 0) execute function hold_pdf()`);
  const isWaiting = async () => {
    const { rowCount } = await database.query(
      `select from pg_locks where locktype = 'advisory' and objid = ${PDF_LOCK} and not granted`,
    );
    return rowCount;
  };
  return {
    held: () => expect.poll(isWaiting, { timeout: 60_000 }).toBe(1),
    async release() {
      const restarted = new pg.Client(await getDatabaseConfig(place.dataDir));
      await restarted.connect();
      await restarted.query('drop function hold_pdf cascade');
      await restarted.end();
    },
  };
}

/** A minute later: the PDF's worker has missed its heartbeat, and the job that requeues stalled PDFs is due. */
async function simulateMinutePassed(): Promise<void> {
  const database = new pg.Client(await getDatabaseConfig(place.dataDir));
  await database.connect();
  await database.query("update flipbook_pdfs set heartbeat_at = heartbeat_at - interval '1 minute'");
  await database.query("insert into pgboss.job (name, data) values ('requeue-stalled-pdfs', '{}')");
  await database.end();
}

test('a PDF whose worker is killed is made from the first page again, leaving nothing behind', async () => {
  test.setTimeout(300_000);
  await startSignedIn();
  const { buffer } = await portraitFromPhone();
  const memoryIds: string[] = [];
  for (let count = 0; count < 4; count++) {
    const photo = copyOfPhoto(buffer);
    const asked = await ask(photo);
    await put(asked, photo);
    memoryIds.push(((await complete(asked)).body as Memory).id);
  }
  const worker = await holdPdf();
  const started = await call('POST', '/api/flipbooks/pdf', { memoryIds });
  let pdf = started.body as Pdf;
  const look = async () => (pdf = (await call('GET', `/api/flipbooks/pdf/${pdf.id}`)).body as Pdf);
  await worker.held();

  await killAllAndRestart();
  await worker.release();
  expect((await look()).status).toBe('making');
  await simulateMinutePassed();
  await expect.poll(async () => (await look()).status, { timeout: 60_000 }).toBe('completed');
  const file = await call('GET', pdf.url);
  expect(file.status).toBe(200);
  expect(file.body).toMatch(/^%PDF-1.7[^]*%%EOF\s*$/);
  const stored = (folder: string) => readdirSync(join(place.dataDir, 'objects', folder));
  expect(stored('flipbooks')).toEqual([`${pdf.id}.pdf`]);
  expect(stored('tmp')).toEqual([]);
});
