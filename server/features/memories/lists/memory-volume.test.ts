import pg from 'pg';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Db, openDatabase } from '../../../platform/db/database.ts';
import { explain, type PlanNode, rowsRead } from '../../../testing/assertions/query-plans.ts';
import { createTestDatabase } from '../../../testing/environment/test-database.ts';
import { anniversariesOf } from '#shared/dates/calendar-date';
import { findDatedOn, findOneOfLast } from './featured-memory-queries.ts';
import { getMemoryStats, listMonths } from './memory-stats-queries.ts';
import { listMemoryIds } from '../memory-queries.ts';
import { listMemories } from './memory-page-queries.ts';
import { listDeletedMemories, lockMemoriesToPurge } from '../trash/memory-trash-queries.ts';

/** Twenty owners, each with 10,000 memories, of which the newest 1,000 are deleted. */
const MEMORIES = 10_000;
const DELETED = 1_000;
const OWNER = id(3);
const PET = id(301);

let url: string;

beforeAll(async () => {
  const database = await createTestDatabase();
  url = database.url;
  await fillTables(url);
  return () => database.drop();
});

function id(number: number): string {
  return `00000000-0000-7000-8000-${String(number).padStart(12, '0')}`;
}

/** Like years of use: rows of owners are interleaved, and terms have different frequencies. */
async function fillTables(database: string): Promise<void> {
  const client = new pg.Client({ connectionString: database });
  await client.connect();
  await client.query(`
    -- The rows are right: no foreign key needs to be looked up.
    set session_replication_role = replica;
    create function pg_temp.id(n int) returns uuid immutable language sql
      return ('00000000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid;
    insert into users (id, email, username, password_hash)
      select pg_temp.id(n), n::text, n::text, '' from generate_series(1, 20) n;
    insert into pets (id, owner_id, name, species)
      select pg_temp.id(o * 100 + p), pg_temp.id(o), 'Rex', 'dog' from generate_series(1, 20) o, generate_series(1, 5) p;
    create temp table seed as
      select pg_temp.id(1000000 + n) as id, pg_temp.id(n % 20 + 1) as owner_id, n / 20 as nth, n % 20 + 1 as owner,
        timestamptz '2018-01-01' + n / 20 * interval '5 hours' as at
      from generate_series(0, ${20 * MEMORIES - 1}) n;
    insert into images (id, owner_id, object_key, content_type, byte_size, sha256, width, height, placeholder)
      select id, owner_id, id::text, 'image/jpeg', 1000, md5(id::text) || md5(id::text), 4000, 3000, 'a thumbhash' from seed;
    insert into memories (id, owner_id, pet_id, image_id, image_sha256, caption, tags, source, created_at, added_day, memory_day, is_liked, deleted_at)
      select id, owner_id, case when nth % 10 = 0 then pg_temp.id(owner * 100 + 1 + nth % 3) end, id,
        md5(id::text) || md5(id::text),
        'A caption of some length about number ' || nth, array['summer'], 'web', at, at::date,
        case when nth % 4 = 0 then at::date - nth % 400 end,
        nth % 3 = 0,
        case when nth >= ${MEMORIES - DELETED} then timestamptz '2025-01-01' + nth * interval '1 minute' end
      from seed;
    insert into memory_search_terms (owner_id, term, memory_id, is_of_pet)
      select owner_id, word, id, false
      from seed cross join unnest(array['summer', case when nth % 2 = 0 then 'beach' else 'forest' end, 'number' || nth]) word
      order by owner_id, word;
    insert into memory_search_terms (owner_id, term, memory_id, is_of_pet)
      select owner_id, 'rex', id, true from memories where pet_id is not null;
  `);
  // Over all rows: with sampled statistics the planner would occasionally choose another plan.
  await client.query('set default_statistics_target = 10000');
  await client.query('vacuum analyze');
  await client.end();
}

const isAccess = ({ 'Node Type': type }: PlanNode) =>
  /Scan$/.test(type) && type !== 'Subquery Scan' && type !== 'Function Scan';

/** The index that a step uses and its condition: `memories_owner_created by owner_id`. */
function describeScan(node: PlanNode): string {
  const bounds = (node['Index Cond'] ?? '').matchAll(/\((?:\w+\.)?(\w+) (?:=|>=|<)/g);
  const columns = new Set([...bounds].map((match) => match[1]));
  return `${node['Index Name'] ?? `all of ${node['Relation Name']}`} by ${[...columns].join(' and ')}`;
}

/** Index scans that never read another owner's rows: by owner, by an owner's pet, or by ids from such a scan. */
const OWN_SCANS = new Set([
  'memories_owner_created by owner_id',
  'memories_owner_taken by owner_id',
  'memories_owner_taken by owner_id and taken_at',
  'memories_owner_loved by owner_id',
  'memories_owner_deleted by owner_id',
  'memories_owner_deleted by owner_id and deleted_at',
  'memories_deleted by deleted_at',
  'memories_pet by pet_id',
  'memory_search_terms_owner_id_term_memory_id_is_of_pet_pk by owner_id and term',
  'memories_pkey by id',
  'images_pkey by id',
]);

describe('with 10,000 memories among 200,000', () => {
  const page = { order: 'added', after: null, limit: 100 } as const;
  const byTaken = { ...page, order: 'taken' } as const;
  const middle = { createdAt: new Date('2021-01-01T00:00:00Z'), id: id(0), takenAt: null };
  const middleOfTrash = { deletedAt: new Date('2025-01-07T14:20:00Z'), id: id(0) };
  const since = new Date('2020-01-01');
  const zone = { timeZone: 'Europe/Berlin' };

  it.each<[string, number, (db: Db) => Promise<unknown>]>([
    ['the newest hundred', 202, (db) => listMemories(db, OWNER, {}, page)],
    ['the newest thousand', 2002, (db) => listMemories(db, OWNER, {}, { ...page, limit: 1000 })],
    ['the next hundred', 202, (db) => listMemories(db, OWNER, {}, { ...page, after: middle })],
    ['the last taken', 202, (db) => listMemories(db, OWNER, {}, byTaken)],
    [
      'the next taken',
      202,
      (db) =>
        listMemories(db, OWNER, {}, { ...byTaken, after: { ...middle, takenAt: '2021-01-01 00:00:00' } }),
    ],
    ['one pet’s', 11_000, (db) => listMemories(db, OWNER, { petId: PET }, page)],
    ['a term in every second', 20_500, (db) => listMemories(db, OWNER, { searchTerms: ['beach'] }, page)],
    ['the same by taken', 20_500, (db) => listMemories(db, OWNER, { searchTerms: ['beach'] }, byTaken)],
    ['a term in one', 4, (db) => listMemories(db, OWNER, { searchTerms: ['number7777'] }, page)],
    ['a term in none', 0, (db) => listMemories(db, OWNER, { searchTerms: ['nowhere'] }, page)],
    ['two terms', 40_500, (db) => listMemories(db, OWNER, { searchTerms: ['beach', 'summer'] }, page)],
    [
      'one pet’s terms',
      26_000,
      (db) => listMemories(db, OWNER, { petId: PET, searchTerms: ['rex', 'b'] }, page),
    ],
    ['all ids', 9_000, (db) => listMemoryIds(db, OWNER, {}, 'taken')],
    ['all ids of a term', 20_000, (db) => listMemoryIds(db, OWNER, { searchTerms: ['beach'] }, 'added')],
    ['months added', 9_000, (db) => listMonths(db, OWNER, {}, { order: 'added', ...zone })],
    ['months taken', 9_000, (db) => listMonths(db, OWNER, {}, { order: 'taken', ...zone })],
    ['the loved ones', 402, (db) => listMemories(db, OWNER, { isLiked: true }, page)],
    ['the photo of a day', 250, (db) => findDatedOn(db, OWNER, anniversariesOf('2022-05-31'))],
    [
      'one of the last loved',
      500,
      (db) => findOneOfLast(db, OWNER, { isLiked: true }, { max: 500, day: '2026-07-10' }),
    ],
    ['one of the last', 7, (db) => findOneOfLast(db, OWNER, {}, { max: 7, day: '2026-07-10' })],
    ['stats', 9_000, (db) => getMemoryStats(db, OWNER, {}, { now: new Date(), ...zone })],
    [
      'the whole trash',
      3_000,
      (db) => listDeletedMemories(db, OWNER, { since, after: null, limit: undefined }),
    ],
    ['the last deleted', 303, (db) => listDeletedMemories(db, OWNER, { since, after: null, limit: 100 })],
    [
      'the next deleted',
      303,
      (db) => listDeletedMemories(db, OWNER, { since, after: middleOfTrash, limit: 100 }),
    ],
    ['what to purge', 50, (db) => lockMemoriesToPurge(db, middleOfTrash.deletedAt, 50)],
    ['nothing to purge', 0, (db) => lockMemoriesToPurge(db, new Date(0), 50)],
  ])('finds %s by index, reading at most %i rows', async (_, maxRows, run) => {
    const steps = (await explain(url, run)).filter(isAccess);
    const scans = steps.filter((step) => step['Node Type'] !== 'Bitmap Heap Scan').map(describeScan);
    expect(scans).not.toEqual([]);
    expect(scans.filter((scan) => !OWN_SCANS.has(scan))).toEqual([]);
    expect(steps.reduce((rows, step) => rows + rowsRead(step), 0)).toBeLessThanOrEqual(maxRows);
  });

  it.each([page, byTaken, { ...page, after: middle }])(
    'plans a page of the whole album a few times, and then no more (%o)',
    async (asked) => {
      const database = openDatabase({ url, poolSize: 1, onError: () => undefined });
      for (let time = 0; time < 20; time++) await listMemories(database.db, OWNER, {}, asked);
      const plans =
        'select custom_plans::int as "before", generic_plans::int as "after" from pg_prepared_statements';
      expect((await database.pool.query(plans)).rows).toEqual([{ before: 5, after: 15 }]);
      await database.close();
    },
  );
});
