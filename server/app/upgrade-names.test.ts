import { join } from 'node:path';
import pg from 'pg';
import { describe, expect, it, onTestFinished } from 'vitest';
import { findMigration, migrateDatabase, migrateSchema } from '../platform/db/migrate.ts';
import { createQueues } from '../platform/job-queue/pg-boss-job-queue.ts';
import { readOutbox } from '../testing/clients/dev-outbox.ts';
import { backUp, emptyInstallation, restore, temporaryFolder } from '../testing/data/backups.ts';
import { startTestServer, type TestServer } from '../testing/test-server.ts';
import { openTestPool } from '../testing/environment/test-pool.ts';
import { jobs as allJobs } from './jobs.ts';

/** The time of migration 0037, after which tables, columns and jobs got other names. */
const FORWARDING_TEXT = 1_795_856_874_121;

/** The installation was never started, which would generate one. */
const SECRET = { SESSION_SECRET: 'a-secret-of-the-tests-with-many-characters' };

const id = (number: number) => `00000000-0000-7000-8000-${String(number).padStart(12, '0')}`;
const [ANA, MEMORY, MAIL, MESSAGE, INVITE] = [id(1), id(2), id(3), id(4), id(5)] as const;

const ROWS = `
  insert into users (id, email, username, password_hash, is_admin, email_verified_at)
    values ('${ANA}', 'ana@mems.example', 'ana', '', true, now());
  insert into images (id, owner_id, object_key, content_type, byte_size, sha256, width, height, placeholder, copy_bytes, copy_version)
    values ('${MEMORY}', '${ANA}', 'originals/${MEMORY}', 'image/jpeg', 1, '', 1, 1, '', '{}', 1000);
  insert into memories (id, owner_id, image_id, caption, tags, source, created_at, added_day)
    values ('${MEMORY}', '${ANA}', '${MEMORY}', 'At sea', '{}', 'web', now(), now());
  insert into memory_words (owner_id, word, memory_id, is_of_pet) values ('${ANA}', 'sea', '${MEMORY}', false);
  insert into caricatures (id, owner_id, style, artist, status, kept_memory_id, created_at, started_at, counted_day)
    values ('${id(6)}', '${ANA}', 'watercolor', 'local', 'failed', '${MEMORY}', now(), now(), now());
  insert into recipients (id, owner_id, address_hash, token, created_at) values ('${id(7)}', '${ANA}', 'hash', 'token', now());
  insert into contacts (id, owner_id, recipient_id, name, email, created_at)
    values ('${id(8)}', '${ANA}', '${id(7)}', 'Ingrid', 'ingrid@family.example', now());
  insert into mails (id, owner_id, contact_id, kind, status, try_at, tries, first_tried_at, created_at)
    values ('${MAIL}', '${ANA}', '${id(8)}', 'welcome', 'sent', '2026-01-01', 2, '2025-12-31', now());
  insert into deliveries (id, owner_id, memory_id, contact_id, mail_id, created_at)
    values ('${id(9)}', '${ANA}', '${MEMORY}', '${id(8)}', '${MAIL}', now());
  insert into public_links (id, owner_id, token, memory_id, created_at) values ('${id(10)}', '${ANA}', 'public', '${MEMORY}', now());
  insert into account_tokens (id, owner_id, purpose, token_hash, expires_at) values ('${id(11)}', '${ANA}', 'verify-email', 'hash', 'infinity');
  insert into invites (id, owner_id, email, token_hash, expires_at) values ('${INVITE}', '${ANA}', 'ben@mems.example', 'hash', '2999-01-01');
  insert into idempotency_keys (owner_id, call, key, request_hash, created_at) values ('${ANA}', 'POST /api/pets', 'key', 'hash', now());
  insert into phone_codes (owner_id, id, phone_number, code_hash, wrong_tries, resend_at, expires_at)
    values ('${ANA}', '${id(12)}', '+15555550100', 'hash', 3, now(), 'infinity');
  insert into inbound_messages (id, owner_id, provider, provider_message_id, sender, kind, media, status, tries, created_at)
    values ('${MESSAGE}', '${ANA}', 'twilio', 'SM1', '+15555550100', 'words', '[]', 'accepted', 1, now());
  insert into inbound_emails (id, owner_id, status, is_stored, is_proven, tries, try_at, created_at)
    values ('${id(13)}', '${ANA}', 'done', false, true, 4, now(), now());
  insert into mailed_photos (owner_id, sha256, email_id) values ('${ANA}', 'sha', '${id(13)}');`;

/** With the names and payloads of the earlier release. */
const JOBS = {
  'send-account-mail': { userId: ANA, purpose: 'reset-password', mailId: id(14) },
  'send-invite-email': { inviteId: INVITE },
  'send-security-notice': {
    mailId: id(15),
    userId: ANA,
    notice: 'password-changed',
    to: 'ana@mems.example',
    at: '2026-01-01T00:00:00.000Z',
    device: null,
    network: null,
    changeId: null,
    otherEmail: null,
  },
  'ingest-mms': { ownerId: ANA, messageId: MESSAGE },
  'send-text': { id: id(16), to: '+15555550100', text: 'Saved.' },
  'create-image-variants': { ownerId: ANA, imageId: id(17) },
  'draw-caricature': { ownerId: ANA, caricatureId: id(17) },
};

const UPGRADED = {
  'select term from memory_search_terms': ['sea'],
  'select generator, saved_memory_id from caricatures': ['local', MEMORY],
  'select token, suppression_entry_id from suppression_entries join contacts on suppression_entry_id = suppression_entries.id':
    ['token', id(7)],
  'select attempts, next_attempt_at::date::text, first_attempt_at::date::text, email_id from emails join deliveries on email_id = emails.id':
    [2, '2026-01-01', '2025-12-31', MAIL],
  'select token from shares': ['public'],
  "select purpose from user_tokens where token_hash = 'hash'": ['verify-email'],
  'select email from invitations': ['ben@mems.example'],
  'select endpoint from idempotency_keys': ['POST /api/pets'],
  'select failed_attempts from phone_codes': [3],
  'select kind, attempts from inbound_messages': ['no-photos', 1],
  'select is_authenticated, attempts from inbound_emails': [true, 4],
  'select sha256 from email_photos': ['sha'],
};

/** A database that an earlier release left behind, with a waiting job of each name that has changed. */
async function earlierInstallation(): Promise<Awaited<ReturnType<typeof emptyInstallation>>> {
  const installation = await emptyInstallation(SECRET);
  const pool = openTestPool(urlOf(installation));
  try {
    const client = await pool.connect();
    await migrateSchema(client, await findMigration(FORWARDING_TEXT));
    await client.query(ROWS);
    client.release();
    await createQueues(
      pool,
      allJobs.map((job) => ({ ...job, name: job.formerNames?.[0] ?? job.name })),
    );
    for (const [name, data] of Object.entries(JOBS))
      await pool.query('insert into pgboss.job (name, data) values ($1, $2)', [name, data]);
  } finally {
    await pool.end();
  }
  return installation;
}

const urlOf = ({ settings }: { settings: Record<string, string> }) => settings['DATABASE_URL']!;

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  onTestFinished(() => client.end());
  return client;
}

async function expectUpgraded(server: TestServer, url: string): Promise<void> {
  const client = await connect(url);
  for (const [text, row] of Object.entries(UPGRADED))
    expect((await client.query({ text, rowMode: 'array' })).rows, text).toEqual([row]);
  await server.drainJobs();
  const emails = await readOutbox(server.context.config.dataDir);
  expect(emails.map(({ to, subject }) => `${to}: ${subject}`).sort()).toEqual([
    'ana@mems.example: Choose a new password',
    'ana@mems.example: Your password was changed',
    'ben@mems.example: You are invited',
  ]);
  const { rows } = await client.query('select status from inbound_messages');
  expect(rows).toEqual([{ status: 'done' }]);
  const left = await client.query<{ name: string }>("select name from pgboss.job where state <> 'completed'");
  expect(left.rows).toEqual([]);
}

describe('a database whose tables, columns and jobs have the names of an earlier release', () => {
  it('is upgraded with its rows and waiting jobs', async () => {
    const { settings } = await earlierInstallation();
    const server = await startTestServer({ env: settings });
    await expectUpgraded(server, urlOf({ settings }));
  });

  it('is restored from a backup of that release', async () => {
    const { config } = await earlierInstallation();
    const file = join(await temporaryFolder(), 'earlier.tar');
    await backUp(config, file);
    const target = await emptyInstallation(SECRET);
    await restore(target.config, file);
    const server = await startTestServer({ env: target.settings });
    await expectUpgraded(server, urlOf(target));
  });

  it('keeps its rows and names when the upgrade fails', async () => {
    const installation = await earlierInstallation();
    const client = await connect(urlOf(installation));
    // Not the app's: the last statement of the migration would replace it.
    await client.query('create function notify_of_held_message() returns void language sql as $$ select $$');
    await expect(migrateDatabase(urlOf(installation))).rejects.toThrow();
    expect((await client.query('select tries from mails')).rows).toEqual([{ tries: 2 }]);
    expect((await client.query("select data from pgboss.job where name = 'send-invite-email'")).rows).toEqual(
      [{ data: JOBS['send-invite-email'] }],
    );
    await client.query('drop function notify_of_held_message');
    await migrateDatabase(urlOf(installation));
    expect((await client.query('select attempts from emails')).rows).toEqual([{ attempts: 2 }]);
  });
});
