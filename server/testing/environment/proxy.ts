import { connect, createServer, type AddressInfo, type NetConnectOpts, type Socket } from 'node:net';

/** What new connections meet: no server, one that answers late, or one that breaks off in the middle of a response. */
export type ConnectionFault = 'refused' | { delayMs: number } | { cutAfterBytes: number };

/** A TCP proxy that can stop responding like a server that hangs: it accepts connections and sends nothing. */
export type Proxy = {
  port: number;
  /** Stops forwarding on open and new connections. */
  stall(): void;
  /** Stops forwarding on new connections only. */
  stallNew(): void;
  resume(): void;
  /** Breaks open connections, and gives new ones this fault until `resume`. @returns how many were open */
  fail(fault: ConnectionFault): number;
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
  let fault: ConnectionFault | null = null;
  let accepted = 0;

  const server = createServer({ allowHalfOpen: false }, (client) => {
    accepted++;
    client.on('error', () => undefined);
    client.on('close', () => waiting.delete(client));
    if (fault === 'refused') client.destroy();
    else if (fault && 'delayMs' in fault) setTimeout(() => join(client), fault.delayMs);
    else join(client);
  });
  server.listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));

  function join(client: Socket): void {
    if (client.destroyed) return;
    if (!isOpen) return void waiting.add(client);
    const upstream = connect(target);
    upstream.on('error', () => client.destroy());
    upstream.on('close', () => client.destroy());
    client.on('close', () => {
      joined.delete(client);
      upstream.destroy();
    });
    joined.set(client, upstream);
    client.pipe(upstream).pipe(client);
    if (fault && typeof fault === 'object' && 'cutAfterBytes' in fault)
      cut(client, upstream, fault.cutAfterBytes);
  }

  function separate(client: Socket, upstream: Socket): void {
    client.unpipe(upstream);
    upstream.unpipe(client);
  }

  function cut(client: Socket, upstream: Socket, maxBytes: number): void {
    upstream.on('data', () => {
      if (upstream.bytesRead > maxBytes) client.destroy();
    });
  }

  return {
    port: (server.address() as AddressInfo).port,
    stall() {
      isOpen = false;
      for (const pair of joined) separate(...pair);
    },
    stallNew() {
      isOpen = false;
    },
    fail(next) {
      fault = next;
      const open = [...joined.keys()];
      for (const client of open) client.destroy();
      return open.length;
    },
    resume() {
      isOpen = true;
      fault = null;
      for (const [client, upstream] of joined) {
        // Most still flow: two pipes would send every byte twice.
        separate(client, upstream);
        client.pipe(upstream).pipe(client);
      }
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
