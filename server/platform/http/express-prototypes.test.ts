import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { expect, it, onTestFinished } from 'vitest';
import { expressPrototypes } from './express-prototypes.ts';

it('makes requests and responses that are Express’s before Express has seen them', async () => {
  const app = express();
  const server = createServer(expressPrototypes(app), (request, response) => {
    const are = [
      Object.getPrototypeOf(request) === app.request,
      Object.getPrototypeOf(response) === app.response,
    ];
    response.end(JSON.stringify(are));
  });
  onTestFinished(() => void server.close());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const response = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  expect(await response.json()).toEqual([true, true]);
});
