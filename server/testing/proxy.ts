import { connect, createServer, type AddressInfo, type NetConnectOpts, type Socket } from 'node:net';

/** A TCP proxy that can stop responding like a server that hangs: it accepts connections and sends nothing. */
export type Proxy = {
  port: number;
  /** Stops forwarding on open and new connections. */
  stall(): void;
  /** Stops forwarding on new connections only. */
  stallNew(): void;
  resume(): void;
  /** The number of connections that wait for a response. */
  waiting(): number;
  /** The number of connections since the start. */
  accepted(): number;
  close(): Promise<void>;
};

export async function startProxy(target: NetConnectOpts): Promise<Proxy> {
  const waiting = new Set<Socket>();
  const joined = new Map<Socket, Socket>();
  let isOpen = true;
  let accepted = 0;

  const server = createServer({ allowHalfOpen: false }, (client) => {
    accepted++;
    client.on('error', () => undefined);
    client.on('close', () => waiting.delete(client));
    if (isOpen) join(client);
    else waiting.add(client);
  });
  server.listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));

  function join(client: Socket): void {
    const upstream = connect(target);
    upstream.on('error', () => client.destroy());
    upstream.on('close', () => client.destroy());
    client.on('close', () => {
      joined.delete(client);
      upstream.destroy();
    });
    joined.set(client, upstream);
    client.pipe(upstream).pipe(client);
  }

  return {
    port: (server.address() as AddressInfo).port,
    stall() {
      isOpen = false;
      for (const [client, upstream] of joined) {
        client.unpipe(upstream);
        upstream.unpipe(client);
      }
    },
    stallNew() {
      isOpen = false;
    },
    resume() {
      isOpen = true;
      for (const [client, upstream] of joined) client.pipe(upstream).pipe(client);
      for (const client of waiting) join(client);
      waiting.clear();
    },
    waiting: () => waiting.size,
    accepted: () => accepted,
    async close() {
      for (const client of [...waiting, ...joined.keys()]) client.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
