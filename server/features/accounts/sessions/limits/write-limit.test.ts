import { describe, expect, it } from 'vitest';
import { IMPORT_CHUNK_BYTES } from '#shared/transfers/import';
import { uploadImport } from '../../../../testing/clients/imports.ts';
import { addMemory } from '../../../../testing/data/factories.ts';
import { startTestServer } from '../../../../testing/test-server.ts';

describe('writes of an account', () => {
  it('are 429 with Retry-After once its bucket is empty, which refills', async () => {
    let now = new Date('2026-06-01T12:00:00Z');
    const server = await startTestServer({
      env: { WRITE_BURST: '20', WRITES_PER_SECOND: '2' },
      overrides: { clock: { now: () => now } },
    });
    const eager = await server.signUp();
    const other = await server.signUp();
    const { id } = await addMemory(eager);
    const like = (client = eager) =>
      client
        .request('PATCH', `/api/memories/${id}`, { json: { isLiked: true } })
        .then(({ status }) => status);
    const statuses = async (count: number) =>
      (await Promise.all(Array.from({ length: count }, () => like()))).toSorted();

    // The memory took none: uploads have a limit of their own.
    expect(await statuses(22)).toEqual([...Array<number>(20).fill(200), 429, 429]);
    const rejected = await eager.post('/api/pets', {});
    expect([rejected.status, rejected.headers.get('Retry-After')]).toEqual([429, '1']);
    expect(rejected.body).toEqual({
      message: 'You are making changes too quickly. Please try again in 1 second.',
      code: 'too-many-requests',
    });
    expect((await eager.get('/api/memories')).status).toBe(200);
    expect(await like(other)).toBe(404);

    now = new Date(now.getTime() + 2000);
    expect(await statuses(6)).toEqual([200, 200, 200, 200, 429, 429]);
    now = new Date(now.getTime() + 3_600_000);
    expect(await statuses(21)).toEqual([...Array<number>(20).fill(200), 429]);
  });

  it('are not the pieces of a file that is imported', async () => {
    const now = new Date('2026-06-01T12:00:00Z');
    const server = await startTestServer({
      env: { WRITE_BURST: '2', WRITES_PER_SECOND: '1' },
      overrides: { clock: { now: () => now } },
    });
    const owner = await server.signUp();
    const file = Buffer.alloc(3 * IMPORT_CHUNK_BYTES);
    const { status } = await uploadImport(owner, file);
    expect(status).toBe('working');
    expect((await owner.post('/api/exports')).status).toBe(202);
    expect((await owner.post('/api/exports')).status).toBe(429);
  });

  it('are not needed to sign out', async () => {
    const now = new Date('2026-06-01T12:00:00Z');
    const server = await startTestServer({
      env: { WRITE_BURST: '1', WRITES_PER_SECOND: '1' },
      overrides: { clock: { now: () => now } },
    });
    const owner = await server.signUp();
    expect((await owner.post('/api/pets', {})).status).not.toBe(429);
    expect((await owner.post('/api/pets', {})).status).toBe(429);
    expect((await owner.post('/api/logout')).status).toBe(204);
  });

  it('of visitors are not counted', async () => {
    const server = await startTestServer({ env: { WRITE_BURST: '1', WRITES_PER_SECOND: '1' } });
    for (const _ of [1, 2, 3])
      expect(
        (await server.visitor().post('/api/login', { email: 'a@mems.example', password: 'wrong one' }))
          .status,
      ).toBe(401);
  });
});
