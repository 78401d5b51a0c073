import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { expect, it } from 'vitest';
import { createEventStreams } from './event-streams.ts';

it('ends a stream that is opened while the server stops: it would keep the server from closing', () => {
  const streams = createEventStreams();
  streams.endAll();
  const response = new ServerResponse(new IncomingMessage(new Socket()));
  streams.add(response, { ownerId: 'ada', sid: 'session' });
  expect(response.writableEnded).toBe(true);
});
