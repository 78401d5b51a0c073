import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import type { Import } from '#shared/transfers/import';
import { findImport, readAlbumOf, uploadImport } from '../../clients/imports.ts';
import { createTestClient, type TestClient } from '../../clients/test-client.ts';
import { compare, type Violation } from '../invariants.ts';
import type { Operation, World } from './operation.ts';

const POLL_INTERVAL_MS = 200;
const PARTS = ['export-v1-part-1.zip', 'export-v1-part-2.zip'];

/** As one text each. The originals' bytes are compared with their SHA-256 by the check of the installation. */
const ITEMS = {
  pets: 'select name as item from pets join users as owner on owner.id = owner_id',
  memories: `select concat(caption, ' ', sha256) as item from memories
    join images on images.id = image_id join users as owner on owner.id = memories.owner_id`,
  contacts: `select concat(contacts.email, ' ', is_active) as item from contacts
    join users as owner on owner.id = contacts.owner_id`,
  emails: `select kind as item from emails
    join contacts on contacts.id = contact_id join users as owner on owner.id = contacts.owner_id`,
  caricatures: `select concat(sha256, ' ', memory_id is not null) as item from caricatures
    join images on images.id = caricatures.image_id join users as owner on owner.id = caricatures.owner_id`,
};

/** An exported album in two parts, each from its upload until it is in the album of a new account. */
export async function createImports({ installation }: World): Promise<Operation> {
  const { pool } = installation;
  const zips = await Promise.all(
    PARTS.map((name) => readFile(new URL(`../../fixtures/${name}`, import.meta.url))),
  );
  const { data } = await readAlbumOf(zips);
  const expected = {
    pets: data.pets.map(({ name }) => name),
    memories: data.memories.map(({ caption, file }) => `${caption ?? ''} ${file.sha256}`),
    contacts: data.contacts.map(({ email }) => `${email} f`),
    emails: [],
    caricatures: data.caricatures.map(
      ({ file, memoryId }) => `${file.sha256} ${memoryId === null ? 'f' : 't'}`,
    ),
  };
  const acknowledged: string[] = [];

  async function signUp(): Promise<{ username: string; client: TestClient }> {
    let username = '';
    let cookie = '';
    const { status, text } = await installation.untilResponse(async (origin) => {
      // The name of an account that was created, and whose response was lost, is taken.
      username = `import-${randomUUID().slice(0, 13)}`;
      const attempt = createTestClient(origin);
      const account = { email: `${username}@mems.example`, username, password: 'correct horse' };
      const response = await attempt.post('/api/register', account);
      cookie = attempt.cookie();
      return response;
    });
    if (status !== 201) throw new Error(`${username}: ${status} ${text}`);
    const client = installation.client();
    client.setCookie(cookie);
    return { username, client };
  }

  async function untilFinished(client: TestClient): Promise<Import | undefined> {
    let current = await findImport(client);
    while (current?.status === 'working') {
      await pause(POLL_INTERVAL_MS);
      current = await findImport(client);
    }
    return current;
  }

  /** As its owner does: an import that was interrupted too often asks to be repeated. */
  async function importWhole(client: TestClient, zip: Buffer, fileName: string): Promise<void> {
    for (;;) {
      await uploadImport(client, zip, fileName);
      const finished = await untilFinished(client);
      if (finished?.status === 'completed') return;
      if (!finished?.message?.startsWith('The import did not finish.'))
        throw new Error(`The import of ${fileName}: ${JSON.stringify(finished)}`);
    }
  }

  async function listItems(table: keyof typeof expected, username: string): Promise<string[]> {
    const text = `${ITEMS[table]} where owner.username = $1`;
    return (await pool.query<{ item: string }>(text, [username])).rows.map(({ item }) => item);
  }

  return {
    name: 'import',
    async run() {
      const { username, client } = await signUp();
      await installation.queryWithRetry(
        'update users set email_verified_at = now(), verify_email_by = null where username = $1',
        [username],
      );
      for (const [index, zip] of zips.entries()) await importWhole(client, zip, PARTS[index] ?? '');
      acknowledged.push(username);
    },
    async check() {
      const violations: Violation[] = [];
      for (const username of acknowledged)
        for (const [table, items] of Object.entries(expected)) {
          const found = await listItems(table as keyof typeof expected, username);
          violations.push(...compare(`${table} of ${username}`, found.length, items.length));
          for (const item of items)
            if (!found.includes(item)) violations.push({ kind: 'lost', what: `${item} of ${username}` });
        }
      return violations;
    },
  };
}
