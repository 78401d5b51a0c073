import pg from 'pg';
import { afterAll, describe, expect, it } from 'vitest';
import type { HeldMessage } from '#shared/transfers/inbound-email';
import { openEventStream, type EventStream } from '../../testing/clients/event-stream.ts';
import type { TestClient } from '../../testing/clients/test-client.ts';
import { addMemory, addPet, deleteMemory, petForm } from '../../testing/data/factories.ts';
import { inboundEmailOf, pushEmail, signedEmail } from '../../testing/data/inbound-email.ts';
import { makePhoto } from '../../testing/photos/photos.ts';
import { startTestServer } from '../../testing/test-server.ts';
import { MAX_STREAMS_PER_ACCOUNT } from './event-streams.ts';

const SESSION_SECRET = 'the same one at both of the servers';
const REFRESH = { event: 'refresh', data: {} };
const END = { event: 'end', data: {} };

/** Two processes on one database: each receives the other's changes. */
const here = await startTestServer({ env: { SESSION_SECRET } });
const there = await startTestServer({ env: { SESSION_SECRET, DATABASE_URL: here.databaseUrl } });
const database = new pg.Client(here.databaseUrl);
await database.connect();
afterAll(async () => {
  await database.end();
  await there.close();
});

const followThere = (client: TestClient): Promise<EventStream> => openEventStream(client, there.origin);
const memory = (...ids: string[]) => ({ kind: 'memory', ids });
const pet = (...ids: string[]) => ({ kind: 'pet', ids });

async function logIn(name: string): Promise<TestClient> {
  const client = here.visitor();
  const response = await client.post('/api/login', {
    email: `${name}@mems.example`,
    password: 'correct horse',
  });
  expect(response.status).toBe(200);
  return client;
}

describe('GET /api/events', () => {
  it('requires a session', async () => {
    expect((await there.visitor().get('/api/events')).status).toBe(401);
  });

  it('is not compressed, cached or buffered', async () => {
    const events = await followThere(await here.signUp());
    expect(Object.fromEntries(events.headers)).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store, no-transform',
      'x-accel-buffering': 'no',
    });
    expect(events.headers.get('content-encoding')).toBeNull();
    await events.stop();
  });

  it('ends a HEAD request and frees its connection', async () => {
    const client = await here.signUp();
    expect((await client.request('HEAD', '/api/events')).status).toBe(200);
    expect((await client.get('/api/user')).status).toBe(200);
  });

  it('sends one event for each creation, edit, deletion, restore and permanent deletion of a memory', async () => {
    const client = await here.signUp();
    const events = await followThere(client);
    const { id } = await addMemory(client);
    expect(await events.nextChange()).toEqual(memory(id));
    await client.request('PATCH', `/api/memories/${id}`, { json: { isLiked: true } });
    expect(await events.nextChange()).toEqual(memory(id));
    await client.request('PATCH', `/api/memories/${id}`, { json: { caption: 'Snow', tags: ['cold'] } });
    expect(await events.nextChange()).toEqual(memory(id));
    await deleteMemory(client, id);
    expect(await events.nextChange()).toEqual(memory(id));
    await client.post(`/api/memories/${id}/restore`);
    expect(await events.nextChange()).toEqual(memory(id));
    await deleteMemory(client, id);
    expect(await events.nextChange()).toEqual(memory(id));
    await client.request('DELETE', `/api/memories/deleted/${id}`);
    expect(await events.nextChange()).toEqual(memory(id));
    const { id: another } = await addMemory(client);
    expect(await events.nextChange()).toEqual(memory(another));
    await events.stop();
  });

  it('sends an event when Gmail asks to forward email', async () => {
    const client = await here.signUp();
    const to = await inboundEmailOf(client);
    const events = await followThere(client);
    await pushEmail(here, to, await signedEmail(here, { from: 'forwarding-noreply@google.com', to }));
    await here.drainJobs();
    expect(await events.nextChange()).toEqual({ kind: 'held-message', ids: null });
    await events.stop();
  });

  it('sends an event when a message is held and when it is decided', async () => {
    const client = await here.signUp();
    const to = await inboundEmailOf(client);
    const events = await followThere(client);
    const photos = [{ name: 'snow.jpg', bytes: await makePhoto() }];
    await pushEmail(here, to, await signedEmail(here, { from: 'stranger@elsewhere.example', to, photos }));
    await here.drainJobs();
    expect(await events.nextChange()).toEqual({ kind: 'held-message', ids: null });
    const [held] = (await client.get('/api/held-messages')).body as HeldMessage[];
    await client.post(`/api/held-messages/${held?.id}/reject`);
    expect(await events.nextChange()).toEqual({ kind: 'held-message', ids: null });
    await addMemory(client);
    expect(await events.nextChange()).toMatchObject({ kind: 'memory' });
    await events.stop();
  });

  it('sends events of pets, and of the memories of a deleted pet', async () => {
    const client = await here.signUp();
    const events = await followThere(client);
    const { id: petId } = await addPet(client);
    expect(await events.nextChange()).toEqual(pet(petId));
    const { id } = await addMemory(client, { petId });
    expect(await events.nextChange()).toEqual(memory(id));
    await client.request('PATCH', `/api/pets/${petId}`, { body: petForm({ name: 'Max' }) });
    expect(await events.nextChange()).toEqual(pet(petId));
    await client.request('DELETE', `/api/pets/${petId}`);
    expect([await events.nextChange(), await events.nextChange()]).toEqual(
      expect.arrayContaining([pet(petId), memory(id)]),
    );
    await events.stop();
  });

  it('sends one event without ids for many changes in a transaction', async () => {
    const client = await here.signUp();
    const events = await followThere(client);
    const { id } = await addMemory(client);
    expect(await events.nextChange()).toEqual(memory(id));
    await database.query('begin');
    for (let nth = 0; nth < 9; nth++) await database.query('update memories set caption = $1', [nth]);
    await database.query('commit');
    // Postgres merges equal notifications of a transaction.
    expect([await events.nextChange(), await events.nextChange()]).toEqual([
      memory(id),
      { kind: 'memory', ids: null },
    ]);
    await deleteMemory(client, id);
    expect(await events.nextChange()).toEqual(memory(id));
    await events.stop();
  });

  it('ignores other accounts and unknown notifications', async () => {
    const [client, stranger] = [await here.signUp(), await here.signUp()];
    const events = await followThere(client);
    const strangers = await followThere(stranger);
    await database.query("select pg_notify('account_events', 'unknown')");
    await addMemory(stranger);
    await strangers.nextChange();
    const { id } = await addMemory(client);
    expect(await events.nextChange()).toEqual(memory(id));
    await Promise.all([events.stop(), strangers.stop()]);
  });

  it('ends with its own session only', async () => {
    await here.signUp('nora');
    const [phone, laptop] = [await logIn('nora'), await logIn('nora')];
    const onPhone = await followThere(phone);
    const onLaptop = await followThere(laptop);
    await phone.post('/api/logout');
    expect([await onPhone.next(), await onPhone.next()]).toEqual([END, null]);
    const { id } = await addMemory(laptop);
    expect(await onLaptop.nextChange()).toEqual(memory(id));
    await (await logIn('nora')).post('/api/logout/all');
    expect([await onLaptop.next(), await onLaptop.next()]).toEqual([END, null]);
  });

  it('ends with the reason when its account is disabled', async () => {
    const admin = await here.signUp();
    await database.query('update users set is_admin = true where id = $1', [admin.userId]);
    const client = await here.signUp();
    const events = await followThere(client);
    const path = `/api/admin/users/${client.userId}`;
    expect((await admin.request('PATCH', path, { json: { isDisabled: true } })).status).toBe(200);
    const end = { event: 'end', data: { reason: 'disabled' } };
    expect([await events.next(), await events.next()]).toEqual([end, null]);
  });

  it('ends when its expired session is deleted', async () => {
    const client = await here.signUp();
    const events = await followThere(client);
    await database.query(`update sessions set expire = now() - interval '1 minute' where owner_id = $1`, [
      client.userId,
    ]);
    await database.query('delete from sessions where expire < now()');
    expect([await events.next(), await events.next()]).toEqual([END, null]);
  });

  it('sends a refresh after its database connection was lost', async () => {
    const client = await here.signUp();
    const events = await followThere(client);
    await database.query(`
      select pg_terminate_backend(pid) from pg_stat_activity
      where application_name = 'mems-are-forever events' and datname = current_database()`);
    expect(await events.next()).toEqual(REFRESH);
    const { id } = await addMemory(client);
    expect(await events.nextChange()).toEqual(memory(id));
    await events.stop();
  });

  it('ends the oldest stream above the limit per account', async () => {
    const client = await here.signUp();
    const oldest = await followThere(client);
    const others: EventStream[] = [];
    for (let count = 0; count < MAX_STREAMS_PER_ACCOUNT; count++) others.push(await followThere(client));
    expect(await oldest.next()).toBeNull();
    const { id } = await addMemory(client);
    for (const other of others) expect(await other.nextChange()).toEqual(memory(id));
    await Promise.all(others.map((other) => other.stop()));
  });

  it('ends cleanly when its server closes', async () => {
    const server = await startTestServer();
    const events = await openEventStream(await server.signUp(), server.origin);
    await server.close();
    expect(await events.next()).toBeNull();
  });
});
