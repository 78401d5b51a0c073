import { createHash } from 'node:crypto';
import { createServer, request as send, type IncomingMessage } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';

export type StickyProxy = {
  origin: string;
  /** The origin that gets the requests of a browser with this cookie. */
  targetOf(cookie: string): string;
  close(): void;
};

/** A load balancer as docs/setup/remote-photos.md has it: by the session cookie, websockets included. */
export async function startStickyProxy(targets: string[]): Promise<StickyProxy> {
  const targetOf = (cookie = '') => {
    const session = /mems\.sid=([^;]+)/.exec(cookie)?.[1] ?? '';
    return targets[createHash('sha256').update(session).digest().readUInt32BE() % targets.length]!;
  };
  const server = createServer((request, response) => {
    const { method, url = '', headers } = request;
    const forwarded = send(
      new URL(url, targetOf(headers.cookie)),
      { method, headers },
      (forwardedResponse) => {
        response.writeHead(forwardedResponse.statusCode ?? 502, forwardedResponse.rawHeaders);
        forwardedResponse.pipe(response);
      },
    );
    forwarded.on('error', () => response.destroy());
    request.pipe(forwarded);
  });
  const sockets = new Set<Socket>();
  server.on('upgrade', ({ method, url, headers, rawHeaders }: IncomingMessage, client: Socket) => {
    const { hostname, port } = new URL(targetOf(headers.cookie));
    const upstream = connect(Number(port), hostname);
    for (const each of [client, upstream]) {
      sockets.add(each);
      each.on('error', () => undefined);
    }
    const lines = rawHeaders.flatMap((name, n) => (n % 2 === 0 ? [`${name}: ${rawHeaders[n + 1]}`] : []));
    upstream.write([`${method} ${url} HTTP/1.1`, ...lines, '', ''].join('\r\n'));
    client.pipe(upstream).pipe(client);
  });
  server.listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    targetOf,
    close() {
      for (const socket of sockets) socket.destroy();
      server.closeAllConnections();
      server.close();
    },
  };
}
