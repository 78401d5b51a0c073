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

/** Asks the process that started the fake internet: addresses can change. */
const resolve = (host: string) =>
  new Promise<string[]>((resolved, rejected) => {
    const path = `/?host=${encodeURIComponent(host)}`;
    get(
      { host: '127.0.0.1', port: settings.httpPort, path, headers: { Host: 'dns' }, agent: false },
      (response) => resolved(json(response) as Promise<string[]>),
    ).on('error', rejected);
  });

routeConnections({ ...settings, resolve });
