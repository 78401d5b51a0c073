import type pg from 'pg';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { ExportList } from '#shared/transfers/export';
import { findImport, normalize, readAlbumOf, uploadImport } from '../../testing/clients/imports.ts';
import type { TestClient } from '../../testing/clients/test-client.ts';
import { addContact, addMemory, addPet } from '../../testing/data/factories.ts';
import { createInstallation } from '../../testing/faults/installation.ts';
import { makePhoto } from '../../testing/photos/photos.ts';

/** A generous timeout for a busy machine. */
const PATIENCE_MS = 120_000;
const PATIENCE = { timeout: PATIENCE_MS, interval: 20 };
const PHOTOS = 6;

/** Of the import: the exported album has as many. */
const PAUSE_BEFORE_THIRD_PHOTO = `
  create function pause_before_third_photo() returns trigger language plpgsql as $$
  begin
    if (select count(*) from memories) = ${PHOTOS + 2} then perform pg_advisory_xact_lock(42); end if;
    return new;
  end $$;
  create trigger pause_before_third_photo before insert on memories
    for each row execute function pause_before_third_photo()`;

const WAITING = `select pid from pg_locks where locktype = 'advisory' and objid = 42 and not granted
  and database = (select oid from pg_database where datname = current_database())`;

async function countWaiting(pool: pg.Pool): Promise<number> {
  return (await pool.query(WAITING)).rows.length;
}

async function exportZip(client: TestClient): Promise<Buffer> {
  await client.post('/api/exports');
  const find = async () => ExportList.parse((await client.get('/api/exports')).body)[0];
  await vi.waitUntil(async () => (await find())?.status === 'completed', PATIENCE);
  return (await client.get((await find())?.parts[0]?.url ?? '')).bytes;
}

describe('the app, killed while it imports an album', { timeout: 3 * PATIENCE_MS }, () => {
  it('goes on after the restart: the album is whole, nothing is there twice, and nothing is left over', async () => {
    const installation = await createInstallation();
    onTestFinished(() => installation.remove());
    const app = await installation.start();
    const signUp = async (username: string) => {
      const client = installation.client();
      await client.post('/api/register', {
        email: `${username}@mems.example`,
        username,
        password: 'correct horse',
      });
      return client;
    };
    const exported = await signUp('mara');
    const pet = await addPet(exported, {}, await makePhoto({ width: 90, height: 90 }));
    await addContact(exported);
    for (let index = 0; index < PHOTOS; index++)
      await addMemory(exported, { petId: pet.id, photo: await makePhoto({ width: 60 + index }) });
    const zip = await exportZip(exported);
    const owner = await signUp('piet');

    const { pool } = installation;
    const holder = await pool.connect();
    await pool.query(PAUSE_BEFORE_THIRD_PHOTO);
    await holder.query('select pg_advisory_lock(42)');
    const started = await uploadImport(owner, zip);
    await vi.waitUntil(async () => (await countWaiting(pool)) === 1, PATIENCE);
    expect(await findImport(owner)).toMatchObject({ status: 'working', done: 3, total: PHOTOS + 1 });
    await app.kill();
    await pool.query(`select pg_terminate_backend(pid) from (${WAITING}) as waiting`);
    await vi.waitUntil(async () => (await countWaiting(pool)) === 0, PATIENCE);
    await pool.query('drop function pause_before_third_photo cascade');
    holder.release(true);
    await pool.query(`update imports set heartbeat_at = now() - interval '2 minutes'`);
    await installation.killAndRestart();

    await vi.waitUntil(async () => (await findImport(owner))?.status === 'completed', PATIENCE);
    expect(await findImport(owner)).toMatchObject({ id: started.id, done: PHOTOS + 1, added: PHOTOS - 2 });
    const { pets, memories, contacts } = normalize(await readAlbumOf([await exportZip(owner)]));
    const before = normalize(await readAlbumOf([zip]));
    expect([pets, memories, contacts]).toEqual([before.pets, before.memories, before.contacts]);
    const chunks = async () =>
      (await installation.objects.list()).filter((key) => key.startsWith('imports/'));
    await vi.waitUntil(async () => (await chunks()).length === 0, PATIENCE);
    const sent = await installation.sentEmails();
    expect(
      sent.filter(({ to }) => to.endsWith('@family.example')).map(({ subject }) => subject),
    ).toHaveLength(1);
  });
});
