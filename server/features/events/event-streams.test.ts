import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createEventStreams, type EventStreams, type Subscriber } from './event-streams.ts';

const nora = { ownerId: 'nora', sid: 'phone' };
const change = { kind: 'memory' as const, ids: ['snow'] };

let streams: EventStreams;
let errors: unknown[];
const server = createServer((_request, response) => {
  response.on('error', (error) => errors.push(error));
  server.emit('received', response);
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

/** A request whose response can become a stream; `text` resolves with its whole body. */
async function openRequest(): Promise<{
  response: ServerResponse;
  text: Promise<string>;
  disconnect: () => void;
}> {
  const controller = new AbortController();
  const received = once(server, 'received');
  const { port } = server.address() as AddressInfo;
  const text = fetch(`http://localhost:${port}`, controller).then((streamed) => streamed.text());
  text.catch(() => undefined);
  const [response] = (await received) as [ServerResponse];
  return { response, text, disconnect: () => controller.abort() };
}

describe('a stream', () => {
  it('sends nothing after its end, even to a slow client', async () => {
    const { response, text } = await openRequest();
    streams.add(response, nora);
    streams.send('nora', change);
    streams.endAll();
    streams.send('nora', change);
    streams.refreshAll();
    expect((await text).match(/^event: .*$/gm)).toEqual(['event: change']);
  });

  it('drops events for a slow client, which gets a refresh once it has caught up', async () => {
    const { response, text } = await openRequest();
    streams.add(response, nora);
    const sent: string[] = [];
    while (!response.writableNeedDrain) {
      streams.send('nora', change);
      sent.push('event: change');
    }
    streams.send('nora', change);
    await once(response, 'drain');
    streams.endAll();
    expect((await text).match(/^event: .*$/gm)).toEqual([...sent, 'event: refresh']);
  });

  it('looks up each session once', async () => {
    const { response, text } = await openRequest();
    const another = await openRequest();
    streams.add(response, nora);
    streams.add(another.response, nora);
    const lookedUp: string[] = [];
    const findEnd = ({ sid }: Subscriber) => Promise.resolve(lookedUp.push(sid) > 0 ? {} : null);
    await streams.endExpired(findEnd, 'nora');
    expect(lookedUp).toEqual(['phone']);
    for (const each of [text, another.text]) expect(await each).toContain('event: end');
  });

  it('ends if its session cannot be looked up, but not those of other accounts', async () => {
    const { response, text } = await openRequest();
    const other = await openRequest();
    streams.add(response, nora);
    streams.add(other.response, { ownerId: 'ada', sid: 'laptop' });
    const failure = new Error('The database is down');
    await expect(streams.endExpired(() => Promise.reject(failure), 'nora')).rejects.toBe(failure);
    // Its page connects again, and asks whether the session has ended.
    expect(await text).not.toContain('event:');
    streams.send('ada', change);
    streams.endAll();
    expect(await other.text).toContain('event: change');
  });

  it('is not opened for a disconnected client', async () => {
    const { response, disconnect } = await openRequest();
    const gone = once(response, 'close');
    disconnect();
    await gone;
    streams.add(response, nora);
    const lookedUp: string[] = [];
    await streams.endExpired(({ sid }) => Promise.resolve(lookedUp.push(sid) > 0 ? {} : null));
    expect(lookedUp).toEqual([]);
  });
});
