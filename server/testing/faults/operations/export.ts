import { createHash } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { ExportList, type Export } from '#shared/transfers/export';
import { readZip } from '../../assertions/read-zip.ts';
import { createTestClient } from '../../clients/test-client.ts';
import { compare, type Violation } from '../invariants.ts';
import { OWNER_EMAIL, type Operation, type World } from './operation.ts';

const POLL_INTERVAL_MS = 200;

/** An export of the album, from the request until its zips are downloaded. */
export function createExports({ installation, owner, pet }: World): Promise<Operation> {
  const acknowledged = new Map<string, Export['status']>();
  const violations: Violation[] = [];
  /** An export is made again by a request that was served, and whose response was lost. */
  let lostResponses = 0;

  const find = async (): Promise<Export | undefined> =>
    ExportList.parse((await owner.get('/api/exports')).body)[0];

  /** The SHA-256 of the owner's originals. */
  async function listOriginals(): Promise<string[]> {
    const text = `select sha256 from images where id in (
      select image_id from memories where owner_id = (select owner_id from pets where id = $1))`;
    const rows = await installation.queryWithRetry<{ sha256: string }>(text, [pet.id]);
    return rows.map(({ sha256 }) => sha256);
  }

  async function start(): Promise<Export> {
    // Ten a day are allowed.
    await installation.queryWithRetry(`delete from rate_limits where key like 'exportPerUser:%'`);
    let requests = 0;
    const { status, text, body } = await installation.untilResponse((origin) => {
      requests++;
      const client = createTestClient(origin);
      client.setCookie(owner.cookie());
      return client.post('/api/exports');
    });
    if (status !== 202) throw new Error(`An export: ${status} ${text}`);
    lostResponses += requests - 1;
    return body as Export;
  }

  /** Each original that was there at the request. */
  async function checkZips({ id, parts }: Export, originals: string[]): Promise<void> {
    const found: string[] = [];
    for (const { url, byteSize } of parts) {
      const { status, bytes } = await owner.get(url);
      if (status !== 200 || bytes.length !== byteSize)
        return void violations.push({ kind: 'lost', what: `${url}: ${status}, ${bytes.length} bytes` });
      const { files } = await readZip(bytes);
      for (const file of files.values()) found.push(createHash('sha256').update(file).digest('hex'));
    }
    for (const sha256 of originals) {
      const index = found.indexOf(sha256);
      if (index < 0) violations.push({ kind: 'lost', what: `an original in the export ${id}` });
      else found.splice(index, 1);
    }
  }

  async function make(): Promise<void> {
    const originals = await listOriginals();
    const { id } = await start();
    let current = await find();
    while (current?.id === id && current.status === 'making') {
      await pause(POLL_INTERVAL_MS);
      current = await find();
    }
    if (current?.id !== id) return void violations.push({ kind: 'lost', what: `the export ${id}` });
    acknowledged.set(id, current.status);
    if (current.status === 'completed') await checkZips(current, originals);
  }

  // An account has only one, which the next one replaces.
  let previous: Promise<void> = Promise.resolve();
  return Promise.resolve({
    name: 'export',
    run: () => (previous = previous.then(make)),
    async check() {
      const completed = [...acknowledged.values()].filter((status) => status === 'completed').length;
      const emails = (await installation.sentEmails()).filter(
        ({ to, subject }) => to === OWNER_EMAIL && subject === 'Your export is ready',
      );
      return [
        ...violations,
        ...compare('emails about exports', emails.length, completed, completed + lostResponses),
      ];
    },
  });
}
