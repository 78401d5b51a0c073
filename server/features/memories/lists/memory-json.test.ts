import pg from 'pg';
import { describe, expect, it } from 'vitest';
import { MemorySource } from '#shared/album/memory';
import { addMemory, addPet } from '../../../testing/data/factories.ts';
import { startTestServer } from '../../../testing/test-server.ts';
import { presentMemory } from '../memory-presenter.ts';
import { getMemory } from '../memory-queries.ts';

const server = await startTestServer();

/** Every character that JSON or Postgres escapes, and some that look like it. */
const CONTROLS = Array.from({ length: 0x9f }, (_, code) => String.fromCharCode(code + 1)).join('');
const ODD_TEXTS = [
  CONTROLS,
  '\u2028\u2029\ufeff\uffff\u{10ffff}',
  '"quoted" \\back\\slash\\ \\u0041 </script> {"a":null}',
  'e\u0301te\u0301 é 雪 مرحبا 👩‍👩‍👧 🇳🇴',
  'x'.repeat(100_000),
  ' ',
];

describe('the JSON that Postgres builds', () => {
  it('equals the presenter’s for every kind of memory', async () => {
    const owner = await server.signUp();
    const { db } = server.context;
    const { id } = await addMemory(owner);
    const pet = await addPet(owner);
    const client = new pg.Client({ connectionString: server.databaseUrl });
    await client.connect();

    const states: [assignments: string, value?: unknown][] = [
      [`caption = null, tags = '{}', pet_id = null, is_liked = false, memory_day = null, memory_time = null`],
      ...ODD_TEXTS.map((text): [string, string] => [`caption = $2, tags = array[$2::text, '']`, text]),
      [`tags = $2, is_liked = true`, ODD_TEXTS],
      [`pet_id = $2`, pet.id],
      [`memory_day = '2024-02-29'`],
      [`memory_day = '0001-01-01', memory_time = '00:00'`],
      [`memory_day = '9999-12-31', memory_time = '23:59'`],
      [`memory_day = null, memory_time = '08:05'`],
      ...MemorySource.options.map((source): [string, string] => [`source = $2`, source]),
      [`created_at = '1970-01-01T00:00Z'`],
      [`created_at = '2026-03-29T01:00:00.007Z'`],
      [`created_at = '2000-01-01T00:00:00.1Z'`],
      [`created_at = '9999-12-31T23:59:59.999Z'`],
    ];
    for (const [assignments, ...value] of states) {
      await client.query(`update memories set ${assignments} where id = $1`, [id, ...value]);
      const expected = JSON.stringify([presentMemory(await getMemory(db, owner.userId, id))]);
      for (const path of ['/api/memories', '/api/memories?limit=1&order=taken', `/api/memories?ids=${id}`]) {
        expect((await owner.get(path)).text).toBe(expected);
      }
    }
    await client.end();
  });

  it('is an empty list without memories', async () => {
    const owner = await server.signUp();
    const response = await owner.get('/api/memories');
    expect(response.text).toBe('[]');
    expect(response.headers.get('Content-Type')).toBe('application/json; charset=utf-8');
  });
});
