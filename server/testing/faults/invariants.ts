import { createHash } from 'node:crypto';
import type { Installation } from './installation.ts';

/** `stuck` includes what should have been purged. */
export type Violation = { kind: 'lost' | 'twice' | 'stuck'; what: string };

/** A caption that the workloads give to their photos. */
const CAPTION = /\b[a-z]+-\d+\b/g;

/** Rows that a finished process or a passed time should have left in another state. Call it when all is idle and purged. */
const UNFINISHED: Record<string, string> = {
  uploads: `status = 'open'`,
  inbound_messages: `status <> 'done'`,
  inbound_emails: `status in ('arriving', 'received') or (is_stored and status <> 'waiting')`,
  caricatures: `status = 'generating' or (status = 'completed' and image_id is null)`,
  deliveries: `email_id is null`,
  emails: `status = 'waiting' or lease_expires_at is not null`,
  flipbook_pdfs: `status = 'making'`,
  exports: `status = 'making'`,
  imports: `status in ('receiving', 'working')`,
  export_parts: `byte_size is null`,
  images: `id not in (
    select image_id from memories
    union all select image_id from caricatures where image_id is not null
    union all select profile_image_id from pets where profile_image_id is not null
    union all select profile_original_id from pets where profile_original_id is not null)`,
  'pgboss.job': `state = 'active' and name not like '\\_\\_%'`,
};

/** What must hold for every installation at rest, whatever happened before. */
export async function findViolations(
  installation: Installation,
  { isAtRest = true } = {},
): Promise<Violation[]> {
  return [
    ...(await checkImages(installation)),
    ...(isAtRest ? await checkOrphans(installation) : []),
    ...(isAtRest ? await checkUnfinished(installation) : []),
    ...(await checkStorageUsage(installation)),
    ...(await checkEmailsToContacts(installation)),
  ];
}

/** No image without its bytes. */
async function checkImages({ pool, objects }: Installation): Promise<Violation[]> {
  const { rows } = await pool.query<{ key: string; size: number; sha256: string }>(
    'select object_key as key, byte_size as size, sha256 from images',
  );
  const violations: Violation[] = [];
  for (const { key, size, sha256 } of rows) {
    const bytes = await objects.read(key);
    const hash = bytes && createHash('sha256').update(bytes).digest('hex');
    if (bytes?.length !== size || hash !== sha256)
      violations.push({ kind: 'lost', what: `the bytes of ${key}` });
  }
  return violations;
}

/** No object without its row. An object of an unknown kind is an orphan, too. */
async function checkOrphans(installation: Installation): Promise<Violation[]> {
  const { rows } = await installation.pool.query<{ prefix: string }>(`
    select object_key as prefix from images
    union all select 'variants/' || id || '/' from images
    union all select 'inbound-mail/' || id from inbound_emails where is_stored
    union all select 'flipbooks/' || id || '.pdf' from flipbook_pdfs
    union all select 'imports/' || data_id || '/' from imports where data_id is not null
    union all select 'exports/' || id || '.zip' from export_parts`);
  const known = new Set(rows.map(({ prefix }) => prefix));
  return (await installation.objects.list())
    .filter((key) => !known.has(key) && !known.has(key.replace(/[^/]*$/, '')))
    .map((key) => ({ kind: 'stuck', what: `the orphan ${key}` }));
}

async function checkUnfinished({ pool }: Installation): Promise<Violation[]> {
  const violations: Violation[] = [];
  for (const [table, condition] of Object.entries(UNFINISHED)) {
    const { rows } = await pool.query(`select * from ${table} where ${condition}`);
    for (const row of rows)
      violations.push({ kind: 'stuck', what: `${table} ${JSON.stringify(row).slice(0, 300)}` });
  }
  return violations;
}

async function checkStorageUsage({ pool }: Installation): Promise<Violation[]> {
  const { rows } = await pool.query<{ owner_id: string; counted: string; stored: string }>(`
    select owner_id, coalesce(sum(counted), 0) as counted, coalesce(sum(stored), 0) as stored from (
      select owner_id, bytes as counted, null as stored from storage_usage
      union all select owner_id, null, storage_bytes(images) from images
      union all select owner_id, null, storage_bytes(memories) from memories
      union all select owner_id, null, storage_bytes(pets) from pets
    ) as usage group by owner_id having coalesce(sum(counted), 0) <> coalesce(sum(stored), 0)`);
  return rows.map(({ owner_id, counted, stored }) => ({
    kind: Number(counted) < Number(stored) ? 'lost' : 'stuck',
    what: `storage_usage of ${owner_id} is ${counted} instead of ${stored}`,
  }));
}

/** Each photo is in one email to each contact. */
async function checkEmailsToContacts({ pool, sentEmails }: Installation): Promise<Violation[]> {
  const { rows: contacts } = await pool.query<{ email: string; owner_id: string; is_active: boolean }>(
    'select email, owner_id, is_active from contacts',
  );
  const { rows: memories } = await pool.query<{ owner_id: string; caption: string; count: number }>(
    'select owner_id, caption, count(*)::int as count from memories where caption is not null group by 1, 2',
  );
  const outbox = await sentEmails();
  return contacts.flatMap((contact) => {
    const sent = outbox
      .filter(({ to }) => to === contact.email)
      .flatMap(({ text }) => text.match(CAPTION) ?? []);
    return memories
      .filter(({ owner_id }) => owner_id === contact.owner_id)
      .flatMap(({ caption, count }) => {
        const what = `the email to ${contact.email} with ${caption}`;
        return compare(what, sent.filter((each) => each === caption).length, contact.is_active ? count : 0);
      });
  });
}

export function compare(what: string, found: number, expected: number, max = expected): Violation[] {
  if (found < expected) return [{ kind: 'lost', what: `${what}: ${found} of ${expected}` }];
  return found > max ? [{ kind: 'twice', what: `${what}: ${found} instead of ${expected}` }] : [];
}
