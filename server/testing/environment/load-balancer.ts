import { Agent, createServer, request as send, type IncomingMessage, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

const CHECK_INTERVAL_MS = 50;

export type LoadBalancer = {
  origin: string;
  /** The origins that it sends requests to, if they are ready. */
  targets: Set<string>;
  /** The targets whose readiness was good when it was last asked for. */
  ready: ReadonlySet<string>;
  close(): void;
};

/** Sends requests to the ready targets in turns, over connections that it keeps. */
export async function startLoadBalancer(): Promise<LoadBalancer> {
  const targets = new Set<string>();
  const ready = new Set<string>();
  const agent = new Agent({ keepAlive: true });
  let turn = 0;
  const server = createServer((request, response) => {
    forward(request, response).catch(() => response.writeHead(502).end());
  });

  async function forward(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method, url = '', headers } = request;
    const body = await buffer(request);
    const target = [...ready][turn++ % ready.size];
    // As long as a kept connection was closed before the request arrived.
    while (target) {
      const forwarded = send(new URL(url, target), { method, headers, agent });
      try {
        forwarded.end(body);
        const [reply] = (await once(forwarded, 'response')) as [IncomingMessage];
        response.writeHead(reply.statusCode ?? 502, reply.rawHeaders);
        reply.on('error', () => response.destroy()).pipe(response);
        return;
      } catch (error) {
        if (!forwarded.reusedSocket) throw error;
      }
    }
    response.writeHead(503).end();
  }

  async function checkReadiness(): Promise<void> {
    for (const target of targets) {
      const isReady = await fetch(`${target}/api/health/ready`).then(
        ({ ok }) => ok,
        () => false,
      );
      if (isReady) ready.add(target);
      else ready.delete(target);
    }
    for (const target of ready) if (!targets.has(target)) ready.delete(target);
  }

  let timer = setTimeout(check, CHECK_INTERVAL_MS);
  let isClosed = false;
  function check(): void {
    void checkReadiness().finally(() => {
      if (!isClosed) timer = setTimeout(check, CHECK_INTERVAL_MS);
    });
  }

  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    targets,
    ready,
    close() {
      isClosed = true;
      clearTimeout(timer);
      agent.destroy();
      server.closeAllConnections();
      server.close();
    },
  };
}
