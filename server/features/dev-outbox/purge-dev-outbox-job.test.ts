import { readdir, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { addContact } from '../../testing/data/factories.ts';
import { startTestServer } from '../../testing/test-server.ts';
import { saveMedia } from './dev-outbox-files.ts';
import { purgeDevOutboxJob } from './purge-dev-outbox-job.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

it('messages of the dev outbox and their photos are deleted after seven days', async () => {
  const server = await startTestServer();
  const folder = join(server.dataDir, 'outbox');
  await addContact(await server.signUp());
  await server.drainJobs();
  await saveMedia(folder, 'old', Buffer.from('photo'));
  const before = await readdir(folder);
  expect(before.filter((name) => name.endsWith('.eml'))).not.toEqual([]);
  const [first = ''] = before.filter((name) => name.endsWith('.eml'));
  const daysAgo = (days: number) => new Date(Date.now() - days * DAY_MS);
  for (const name of before) await utimes(join(folder, name), daysAgo(6.9), daysAgo(6.9));
  for (const name of [first, 'media/old']) await utimes(join(folder, name), daysAgo(7.1), daysAgo(7.1));
  await purgeDevOutboxJob.handle(server.context, {}, new AbortController().signal);
  expect(await readdir(folder)).toEqual(before.filter((name) => name !== first));
  expect(await readdir(join(folder, 'media'))).toEqual([]);
  await purgeDevOutboxJob.handle((await startTestServer()).context, {}, new AbortController().signal);
});
