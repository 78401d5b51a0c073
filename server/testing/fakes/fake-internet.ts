import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer as createHttpServer, type RequestListener } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo, Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { buildSync } from 'esbuild';
import forge from 'node-forge';
import { PUBLIC_PREFIX, routeConnections } from './fake-internet-patches.ts';

export type FakeInternet = {
  /** The public address of a host. */
  addressOf(host: string): string;
  /** The addresses that DNS returns for a host, one per lookup; the last one is repeated. Without any, the host does not exist. */
  setAddresses(host: string, ...addresses: string[][]): void;
  /** Lookups by any process, and connections by this process, in order. */
  lookups: string[];
  connections: { host: string; address: string; port: number }[];
  /** For a Node process, which then has this internet only. */
  env: { NODE_OPTIONS: string; FAKE_INTERNET: string };
  /** For Chromium, with ignoreHTTPSErrors. */
  browserArgs: string[];
  close(): Promise<void>;
};

/**
 * Leads this process's connections to the hosts to their handlers on loopback, by http and https. Every host has a
 * public address, so guards against SSRF run unmodified. Other hosts do not exist.
 */
export async function startFakeInternet(hosts: Record<string, RequestListener>): Promise<FakeInternet> {
  const names = Object.keys(hosts);
  const addresses = new Map(names.map((host, index) => [host, `${PUBLIC_PREFIX}${index + 1}`]));
  const resolved = new Map<string, string[][]>();
  const lookups: string[] = [];
  const connections: FakeInternet['connections'] = [];

  const resolve = (host: string): string[] => {
    lookups.push(host);
    const given = resolved.get(host);
    if (given) return (given.length > 1 ? given.shift() : given[0]) ?? [];
    return [addresses.get(host) ?? []].flat();
  };
  const handle: RequestListener = (request, response) => {
    const { hostname, searchParams } = new URL(request.url ?? '', `http://${request.headers.host}`);
    if (hostname === 'dns') return void response.end(JSON.stringify(resolve(searchParams.get('host') ?? '')));
    const host = names.find(
      (name) => name === hostname.replace(/\.$/, '') || addresses.get(name) === hostname,
    );
    const handler = host && hosts[host];
    if (handler) handler(request, response);
    else response.writeHead(421).end('This server is not responsible for the host.');
  };

  const { key, certificate } = createCertificate([...names, ...addresses.values()]);
  const servers = [createHttpServer(handle), createTlsServer({ key, cert: certificate }, handle)];
  const [httpPort = 0, tlsPort = 0] = await Promise.all(servers.map(listen));
  routeConnections({
    resolve: (host) => Promise.resolve(resolve(host)),
    httpPort,
    tlsPort,
    certificate,
    onConnect: (connection) => void connections.push(connection),
  });

  const folder = mkdtempSync(join(tmpdir(), 'mems-internet-'));
  const preload = join(folder, 'preload.mjs');
  buildSync({
    entryPoints: [join(import.meta.dirname, 'fake-internet-preload.ts')],
    outfile: preload,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
  });

  return {
    addressOf: (host) => addresses.get(host)!,
    setAddresses: (host, ...next) => void resolved.set(host, next),
    lookups,
    connections,
    env: {
      NODE_OPTIONS: `--import ${pathToFileURL(preload).href}`,
      FAKE_INTERNET: JSON.stringify({ httpPort, tlsPort, certificate }),
    },
    browserArgs: [
      `--host-resolver-rules=${[
        ...names.flatMap((host) => [
          `MAP ${host}:443 127.0.0.1:${tlsPort}`,
          `MAP ${host}:80 127.0.0.1:${httpPort}`,
        ]),
        'MAP * ~NOTFOUND',
        'EXCLUDE localhost',
        'EXCLUDE 127.0.0.1',
      ].join(',')}`,
    ],
    async close() {
      routeConnections(null);
      rmSync(folder, { recursive: true, force: true });
      for (const server of servers) {
        server.closeAllConnections();
        server.close();
        await once(server, 'close');
      }
    },
  };
}

async function listen(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

/** A certificate that is its own authority. */
function createCertificate(names: string[]): { key: string; certificate: string } {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs1', format: 'pem' },
  });
  const certificate = forge.pki.createCertificate();
  certificate.publicKey = forge.pki.publicKeyFromPem(publicKey);
  certificate.serialNumber = '01';
  const day = 24 * 60 * 60 * 1000;
  certificate.validity.notBefore = new Date(Date.now() - day);
  certificate.validity.notAfter = new Date(Date.now() + day);
  const name = [{ name: 'commonName', value: 'Fake internet for tests' }];
  certificate.setSubject(name);
  certificate.setIssuer(name);
  certificate.setExtensions([
    { name: 'basicConstraints', cA: true },
    {
      name: 'subjectAltName',
      altNames: names.map((each) =>
        /^[\d.]+$/.test(each) ? { type: 7, ip: each } : { type: 2, value: each },
      ),
    },
  ]);
  certificate.sign(forge.pki.privateKeyFromPem(privateKey), forge.md.sha256.create());
  return { key: privateKey, certificate: forge.pki.certificateToPem(certificate) };
}
