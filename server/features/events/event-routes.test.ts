import { randomUUID } from 'node:crypto';
import { connect } from 'node:net';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { HeldMessage } from '#shared/inbound-email';
import { followEvents, type EventReader } from '../../testing/event-stream.ts';
import { addMemory, addPet, deleteMemory, petForm } from '../../testing/factories.ts';
import { inboundEmailOf, pushEmail, signedEmail } from '../../testing/inbound-email.ts';
import { makePhoto } from '../../testing/photos.ts';
import type { TestClient } from '../../testing/test-client.ts';
import { startTestServer, type TestServer } from '../../testing/test-server.ts';
import { MOST_STREAMS_OF_ACCOUNT } from './event-streams.ts';

const SESSION_SECRET = 'the same one at both of the servers';
const REFRESH = { event: 'refresh', data: {} };
const END = { event: 'end', data: {} };

/** Two processes over one database: what the one writes is heard at the other. */
let here: TestServer;
let there: TestServer;
let database: pg.Client;
beforeAll(async () => {
  here = await startTestServer({ env: { SESSION_SECRET } });
  there = await startTestServer({ env: { SESSION_SECRET, DATABASE_URL: here.databaseUrl } });
  database = new pg.Client(here.databaseUrl);
  await database.connect();
});
afterAll(async () => {
  await database.end();
  await there.close();
});

const followThere = (client: TestClient): Promise<EventReader> => followEvents(client, there.origin);
const memory = (...ids: string[]) => ({ kind: 'memory', ids });
const pet = (...ids: string[]) => ({ kind: 'pet', ids });

async function logIn(name: string): Promise<TestClient> {
  const client = here.visitor();
  const answer = await client.post('/api/login', {
    email: `${name}@mems.example`,
    password: 'correct horse',
  });
  expect(answer.status).toBe(200);
  return client;
}

describe('GET /api/events', () => {
  it('is for the signed-in', async () => {
    expect((await there.visitor().get('/api/events')).status).toBe(401);
  });

  it('comes as it is written: not compressed, kept or held back', async () => {
    const events = await followThere(await here.signUp());
    expect(Object.fromEntries(events.headers)).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store, no-transform',
      'x-accel-buffering': 'no',
    });
    expect(events.headers.get('content-encoding')).toBeNull();
    await events.stop();
  });

  it('asked for its head alone, ends, and the connection is free for the next', async () => {
    const client = await here.signUp();
    expect((await client.request('HEAD', '/api/events')).status).toBe(200);
    expect((await client.get('/api/user')).status).toBe(200);
  });

  it('names each memory that is made, changed, deleted, restored or gone for good, once', async () => {
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

  it('tells when a mail begins to wait for an OK, and when it no longer does', async () => {
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

  it('names pets, too, and the memories that lose theirs', async () => {
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

  it('says of many changes at once only that they are many', async () => {
    const client = await here.signUp();
    const events = await followThere(client);
    const { id } = await addMemory(client);
    expect(await events.nextChange()).toEqual(memory(id));
    await database.query('begin');
    for (let nth = 0; nth < 9; nth++) await database.query('update memories set caption = $1', [nth]);
    await database.query('commit');
    // The first ones are equal, and so one; those after them, too.
    expect([await events.nextChange(), await events.nextChange()]).toEqual([
      memory(id),
      { kind: 'memory', ids: null },
    ]);
    await deleteMemory(client, id);
    expect(await events.nextChange()).toEqual(memory(id));
    await events.stop();
  });

  it("says nothing of another account's, nor of what it does not understand", async () => {
    const [client, stranger] = [await here.signUp(), await here.signUp()];
    const events = await followThere(client);
    const strangers = await followThere(stranger);
    await database.query("select pg_notify('account_events', 'gossip')");
    await addMemory(stranger);
    await strangers.nextChange();
    const { id } = await addMemory(client);
    expect(await events.nextChange()).toEqual(memory(id));
    await Promise.all([events.stop(), strangers.stop()]);
  });

  it('ends with its session, and with no other one', async () => {
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

  it('ends when its session has expired and is cleared away', async () => {
    const client = await here.signUp();
    const events = await followThere(client);
    await database.query(`update sessions set expire = now() - interval '1 minute' where owner_id = $1`, [
      client.userId,
    ]);
    await database.query('delete from sessions where expire < now()');
    expect([await events.next(), await events.next()]).toEqual([END, null]);
  });

  it('says that something may have been missed when it could not listen for a while', async () => {
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

  it('keeps nothing for a reader that does not read, and tells it so later', async () => {
    const { userId, ...client } = await here.signUp();
    const { hostname, port } = new URL(there.origin);
    const socket = connect(Number(port), hostname);
    socket.write(`GET /api/events HTTP/1.1\r\nHost: ${hostname}\r\nCookie: ${client.cookie()}\r\n\r\n`);
    await new Promise((resolve) => socket.once('data', resolve));
    socket.pause();
    // More than fits between two machines, let alone two ends of one.
    const notices = 3_000;
    const ids = Array.from({ length: 195 }, () => randomUUID());
    const notice = JSON.stringify({ ownerId: userId, kind: 'memory', ids, nth: 0 });
    const reader = await followThere(await here.signUp('watcher'));
    await database.query(
      `select pg_notify('account_events', jsonb_set($1::jsonb, '{nth}', to_jsonb(nth))::text)
       from generate_series(1, $2::int) as nth`,
      [notice, notices],
    );
    const { id } = await addMemory(await logIn('watcher'));
    expect(await reader.nextChange()).toEqual(memory(id));
    await reader.stop();

    let text = '';
    socket.on('data', (data: Buffer) => (text += data.toString())).resume();
    await expect.poll(() => text.includes('event: refresh'), { timeout: 20_000 }).toBe(true);
    expect(text.split('event: change').length).toBeLessThan(notices);
    socket.destroy();
  });

  it('ends the oldest of an account that has too many', async () => {
    const client = await here.signUp();
    const oldest = await followThere(client);
    const others: EventReader[] = [];
    for (let count = 0; count < MOST_STREAMS_OF_ACCOUNT; count++) others.push(await followThere(client));
    expect(await oldest.next()).toBeNull();
    const { id } = await addMemory(client);
    for (const other of others) expect(await other.nextChange()).toEqual(memory(id));
    await Promise.all(others.map((other) => other.stop()));
  });

  it('ends, whole, before its server does', async () => {
    const server = await startTestServer();
    const events = await followEvents(await server.signUp(), server.origin);
    await server.close();
    expect(await events.next()).toBeNull();
  });
});
