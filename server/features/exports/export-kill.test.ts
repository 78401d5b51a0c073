import type pg from 'pg';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { ExportList, type Export } from '#shared/transfers/export';
import { createInstallation } from '../../testing/faults/installation.ts';
import { addMemory } from '../../testing/data/factories.ts';
import { makeLargeFile } from '../../testing/photos/photos.ts';
import { readZip } from '../../testing/assertions/read-zip.ts';

/** A generous timeout for a busy machine. */
const PATIENCE_MS = 120_000;
const PATIENCE = { timeout: PATIENCE_MS, interval: 20 };

const PAUSE_BEFORE_SECOND_PART = `
  create function pause_before_second_part() returns trigger language plpgsql as $$
  begin
    if new.number = 2 then perform pg_advisory_xact_lock(42); end if;
    return new;
  end $$;
  create trigger pause_before_second_part before insert on export_parts
    for each row execute function pause_before_second_part()`;

async function countWaiting(pool: pg.Pool): Promise<number> {
  const { rows } = await pool.query<{ pid: number }>(
    `select pid from pg_locks where locktype = 'advisory' and objid = 42 and not granted
     and database = (select oid from pg_database where datname = current_database())`,
  );
  return rows.length;
}

describe('the app, killed while it makes an export', { timeout: 3 * PATIENCE_MS }, () => {
  it('makes it again after the restart, and leaves nothing of the first attempt', async () => {
    const installation = await createInstallation({ EXPORT_PART_MB: '0.6' });
    onTestFinished(() => installation.remove());
    const app = await installation.start();
    const owner = installation.client();
    const account = { email: 'mara@mems.example', username: 'mara', password: 'correct horse' };
    await owner.post('/api/register', account);
    const photos: Buffer[] = [];
    for (let index = 0; index < 8; index++) photos.push(await makeLargeFile(270_000));
    for (const photo of photos) await addMemory(owner, { photo });
    const find = async (): Promise<Export | undefined> =>
      ExportList.parse((await owner.get('/api/exports')).body)[0];
    const zips = async () =>
      (await installation.objects.list()).filter(
        (key) => key.startsWith('exports/') || key.startsWith('tmp/'),
      );

    const { pool } = installation;
    const holder = await pool.connect();
    await pool.query(PAUSE_BEFORE_SECOND_PART);
    await holder.query('select pg_advisory_lock(42)');
    const started = (await owner.post('/api/exports')).body as Export;
    await vi.waitUntil(async () => (await countWaiting(pool)) === 1, PATIENCE);
    expect(await zips()).toHaveLength(1);
    await app.kill();
    await pool.query(
      `select pg_terminate_backend(pid) from pg_locks
       where locktype = 'advisory' and objid = 42 and not granted
         and database = (select oid from pg_database where datname = current_database())`,
    );
    await vi.waitUntil(async () => (await countWaiting(pool)) === 0, PATIENCE);
    await pool.query('drop function pause_before_second_part cascade');
    holder.release(true);
    await pool.query(`update exports set heartbeat_at = now() - interval '2 minutes'`);
    await installation.killAndRestart();

    await vi.waitUntil(async () => (await find())?.status === 'completed', PATIENCE);
    const finished = await find();
    expect(finished?.id).toBe(started.id);
    const urls = finished?.parts.map(({ url }) => url) ?? [];
    const stored = urls.map((url) => `exports/${url.split('/').pop()}.zip`).sort();
    await vi.waitUntil(async () => (await zips()).length === stored.length, PATIENCE);
    expect(await zips()).toEqual(stored);

    const files: Buffer[] = [];
    for (const url of urls) files.push(...(await readZip((await owner.get(url)).bytes)).files.values());
    for (const photo of photos) expect(files.filter((bytes) => bytes.equals(photo))).toHaveLength(1);
  });
});
