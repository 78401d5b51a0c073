import { AsyncResource } from 'node:async_hooks';
import { get } from 'node:http';
import { env } from 'node:process';
import { json } from 'node:stream/consumers';
import { routeConnections } from './fake-internet-patches.ts';

const settings = JSON.parse(env['FAKE_INTERNET'] ?? 'null') as {
  httpPort: number;
  tlsPort: number;
  certificate: string;
} | null;
if (!settings) throw new Error('FAKE_INTERNET is not set');

/** Outside the context of the code that resolves a name, which may refuse connections to loopback. */
const outside = new AsyncResource('fake-internet');

/** Asks the process that started the fake internet: addresses can change. */
const resolve = (host: string) => outside.runInAsyncScope(ask, null, host);

const ask = (host: string) =>
  new Promise<string[]>((resolved, rejected) => {
    const path = `/?host=${encodeURIComponent(host)}`;
    get(
      { host: '127.0.0.1', port: settings.httpPort, path, headers: { Host: 'dns' }, agent: false },
      (response) => resolved(json(response) as Promise<string[]>),
    ).on('error', rejected);
  });

routeConnections({ ...settings, resolve });
