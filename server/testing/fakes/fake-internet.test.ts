import { execFile } from 'node:child_process';
import { createServer, get as getByHttp } from 'node:http';
import { get as getByHttps } from 'node:https';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import ipaddr from 'ipaddr.js';
import { afterEach, expect, test } from 'vitest';
import { publicLookup } from '../../platform/public-http/ssrf-guard.ts';
import { startFakeInternet, type FakeInternet } from './fake-internet.ts';

let internet: FakeInternet;

async function start(): Promise<void> {
  internet = await startFakeInternet({
    'photos.example': (request, response) => {
      if (request.url === '/inwards') response.writeHead(302, { Location: 'http://10.0.0.1/' });
      response.end(`photos ${request.url}`);
    },
    'www.vendor.example': (_, response) => void response.end('vendor'),
  });
}

afterEach(() => internet.close());

/** By node:http and node:https, as got does it. */
function request(url: string, options: { lookup?: ReturnType<typeof publicLookup> } = {}): Promise<string> {
  const get = url.startsWith('https:') ? getByHttps : getByHttp;
  return new Promise((resolve, reject) => {
    get(url, { agent: false, ...options }, (response) => resolve(text(response))).on('error', reject);
  });
}

const reachBy: [string, (url: string) => Promise<string>][] = [
  ['node:http', (url) => request(url)],
  ['fetch', async (url) => (await fetch(url)).text()],
  ['a guarded lookup', (url) => request(url, { lookup: publicLookup() })],
];
test.each(reachBy)('leads a host to its handler with %s', async (_, reach) => {
  await start();
  expect(await reach('https://photos.example/a')).toBe('photos /a');
  expect(await reach('http://photos.example/b')).toBe('photos /b');
  expect(await reach('https://www.vendor.example/')).toBe('vendor');
  const addresses = internet.connections.map(({ address }) => address);
  expect(addresses).toHaveLength(3);
  for (const address of addresses) expect(ipaddr.parse(address).range()).toBe('unicast');
});

test('leads an address to its host', async () => {
  await start();
  expect(await request(`http://${internet.addressOf('photos.example')}/a`)).toBe('photos /a');
  expect(await request(`https://${internet.addressOf('www.vendor.example')}/`)).toBe('vendor');
});

test('has no other hosts and ports', async () => {
  await start();
  await expect(request('https://elsewhere.example/')).rejects.toThrow('ENOTFOUND');
  await expect(request('http://photos.example:8080/')).rejects.toThrow('EHOSTUNREACH');
  await expect(request('http://10.0.0.1/')).rejects.toThrow('EHOSTUNREACH');
  await expect(fetch('http://photos.example/inwards')).rejects.toThrow('fetch failed');
  expect(internet.connections.at(-1)).toEqual({ host: '10.0.0.1', address: '10.0.0.1', port: 80 });
});

test('changes the address of a host between lookups', async () => {
  await start();
  const own = createServer((_, response) => void response.end('own')).listen(0, '127.0.0.1');
  await new Promise((resolve) => own.once('listening', resolve));
  const { port } = own.address() as AddressInfo;
  const address = internet.addressOf('photos.example');
  internet.setAddresses('photos.example', [address], ['127.0.0.1'], ['169.254.169.254', address], []);
  expect(await request('http://photos.example/')).toBe('photos /');
  // Without a guard the connection arrives.
  expect(await request(`http://photos.example:${port}/`)).toBe('own');
  await expect(request('http://photos.example/', { lookup: publicLookup() })).rejects.toThrow('not public');
  await expect(request('http://photos.example/')).rejects.toThrow('ENOTFOUND');
  expect(internet.lookups).toHaveLength(4);
  own.close();
});

test('ends with close', async () => {
  await start();
  await internet.close();
  await expect(request('https://photos.example/')).rejects.toThrow('only loopback is allowed');
  await start();
});

test('is the internet of a spawned process', async () => {
  await start();
  const script = `
    const texts = [await (await fetch('https://photos.example/a')).text()];
    texts.push(await fetch('https://elsewhere.example/').catch((error) => error.cause.code));
    texts.push(await (await fetch('http://photos.example/b')).text());
    console.log(texts.join());`;
  const args = ['--input-type=module', '--eval', script];
  const { stdout } = await promisify(execFile)(process.execPath, args, { env: internet.env });
  expect(stdout.trim()).toBe('photos /a,ENOTFOUND,photos /b');
  expect(internet.lookups).toEqual(['photos.example', 'elsewhere.example', 'photos.example']);
});
