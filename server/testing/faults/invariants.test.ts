import { readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startOpenaiServer } from '../fakes/openai-server.ts';
import { startTwilioServer } from '../fakes/twilio-server.ts';
import { createInstallation, type Installation } from './installation.ts';
import { findViolations } from './invariants.ts';
import { createWorld, vendorSettings } from './operations/operation.ts';
import { createUploads } from './operations/upload.ts';
import { settle } from './settle.ts';

let installation: Installation;
beforeAll(async () => {
  const vendors = { twilio: await startTwilioServer(), openai: await startOpenaiServer() };
  installation = await createInstallation(vendorSettings(vendors));
  await installation.start();
  const uploads = await createUploads(await createWorld(installation, vendors));
  await uploads.run(1);
  expect(await settle(installation)).toEqual([]);
  await vendors.openai.close();
});
afterAll(() => installation.remove());

const kinds = async () =>
  (await findViolations(installation)).map(({ kind, what }) => `${kind}: ${what.split(' ')[0]}`);
const fileIn = async (folder: string) => {
  const [name = ''] = await readdir(join(installation.dataDir, folder));
  return join(installation.dataDir, folder, name);
};

describe('the invariants of an installation', () => {
  it('hold after an upload, and name what is lost, done twice or stuck', async () => {
    expect(await kinds()).toEqual([]);
    const { pool, dataDir } = installation;
    await writeFile(join(dataDir, 'objects/originals/orphan'), 'bytes');
    await pool.query('update storage_usage set bytes = bytes + 1');
    await pool.query(`update uploads set status = 'open'`);
    await pool.query(`update emails set status = 'waiting' where kind = 'photos'`);
    expect((await kinds()).sort()).toEqual([
      'stuck: emails',
      'stuck: emails',
      'stuck: storage_usage',
      'stuck: the',
      'stuck: uploads',
    ]);
  });

  it('need the bytes of each image', async () => {
    await rm(await fileIn('objects/originals'));
    expect(await kinds()).toContain('lost: the');
  });

  it('need one email with each photo to each contact', async () => {
    const { pool } = installation;
    await pool.query(`update memories set caption = 'upload-2'`);
    const found = (await findViolations(installation)).filter(({ what }) => what.includes('upload-2'));
    expect(found.map(({ kind }) => kind)).toEqual(['lost', 'lost']);
    await pool.query(`update memories set caption = 'upload-1'`);
    await pool.query(`update contacts set is_active = false`);
    const again = (await findViolations(installation)).filter(({ what }) => what.includes('upload-1'));
    expect(again.map(({ kind }) => kind)).toEqual(['twice', 'twice']);
  });
});
