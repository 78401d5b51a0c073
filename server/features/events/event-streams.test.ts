import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createEventStreams, type EventStreams } from './event-streams.ts';

const nora = { ownerId: 'nora', sid: 'phone' };
const change = { kind: 'memory' as const, ids: ['snow'] };

let streams: EventStreams;
let errors: unknown[];
const server = createServer((_request, response) => {
  response.on('error', (error) => errors.push(error));
  server.emit('asked', response);
});

beforeEach(async () => {
  streams = createEventStreams();
  errors = [];
  server.listen(0);
  await once(server, 'listening');
});
afterEach(async () => {
  streams.endAll();
  server.close();
  await once(server, 'close');
  expect(errors).toEqual([]);
});

/** What somebody asks for, to be answered by a stream, and what they read then. */
async function ask(): Promise<{ response: ServerResponse; text: Promise<string>; leave: () => void }> {
  const leaving = new AbortController();
  const asked = once(server, 'asked');
  const { port } = server.address() as AddressInfo;
  const text = fetch(`http://localhost:${port}`, leaving).then((answer) => answer.text());
  text.catch(() => undefined);
  const [response] = (await asked) as [ServerResponse];
  return { response, text, leave: () => leaving.abort() };
}

describe('a stream', () => {
  it('says nothing more once it is ended, even if its reader takes that later', async () => {
    const { response, text } = await ask();
    streams.add(response, nora);
    streams.tell('nora', change);
    streams.endAll();
    streams.tell('nora', change);
    streams.refreshAll();
    expect((await text).match(/^event: .*$/gm)).toEqual(['event: change']);
  });

  it('is looked up once for each session', async () => {
    const { response, text } = await ask();
    const another = await ask();
    streams.add(response, nora);
    streams.add(another.response, nora);
    const lookedUp: string[] = [];
    await streams.endOver((sid) => Promise.resolve(lookedUp.push(sid) > 0), 'nora');
    expect(lookedUp).toEqual(['phone']);
    for (const each of [text, another.text]) expect(await each).toContain('event: end');
  });

  it('is not begun for a reader who has gone', async () => {
    const { response, leave } = await ask();
    const gone = once(response, 'close');
    leave();
    await gone;
    streams.add(response, nora);
    const lookedUp: string[] = [];
    await streams.endOver((sid) => Promise.resolve(lookedUp.push(sid) > 0));
    expect(lookedUp).toEqual([]);
  });
});
