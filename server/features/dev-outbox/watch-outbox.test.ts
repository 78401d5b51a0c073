import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { writeFileOnce } from '../../platform/files/write-file-once.ts';
import { isStoredMessage, watchOutbox } from './watch-outbox.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'mems-outbox-'));
});
afterAll(() => rm(folder, { recursive: true }));

it.each(['1.eml', '2.sms.json'])('reports that %s was stored', async (name) => {
  let report = () => {};
  const stored = new Promise<void>((resolve) => (report = resolve));
  await watchOutbox(folder, () => report(), 0);
  await writeFileOnce(join(folder, name), 'A message');
  await stored;
});

it('neither a deleted message nor another file counts as stored', async () => {
  await writeFile(join(folder, 'key'), 'secret');
  await writeFile(join(folder, '3.eml'), 'A message');
  expect(isStoredMessage(folder, '3.eml')).toBe(true);
  expect(isStoredMessage(folder, 'key')).toBe(false);
  await rm(join(folder, '3.eml'));
  expect(isStoredMessage(folder, '3.eml')).toBe(false);
});
