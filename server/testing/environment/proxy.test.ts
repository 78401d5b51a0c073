import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startProxy, type Proxy } from './proxy.ts';

let echo: Server;
let proxy: Proxy;
let client: Socket;
let received: string;

beforeEach(async () => {
  echo = createServer((socket) => socket.on('error', () => undefined).pipe(socket));
  echo.listen(0, '127.0.0.1');
  await once(echo, 'listening');
  proxy = await startProxy({ host: '127.0.0.1', port: (echo.address() as AddressInfo).port });
});
afterEach(async () => {
  client.destroy();
  await proxy.close();
  echo.close();
});

async function open(): Promise<void> {
  received = '';
  client = connect(proxy.port, '127.0.0.1');
  client.on('data', (data) => (received += data.toString()));
  await once(client, 'connect');
}

describe('a connection through the proxy', () => {
  it.each<[string, (proxy: Proxy) => void]>([
    ['a stall of new connections', (proxy) => proxy.stallNew()],
    ['a stall', (proxy) => proxy.stall()],
  ])('carries each byte once after %s', async (_name, disturb) => {
    await open();
    client.write('1');
    await expect.poll(() => received).toBe('1');
    disturb(proxy);
    proxy.resume();
    client.write('2');
    await expect.poll(() => received).toContain('2');
    client.write('3');
    await expect.poll(() => received).toContain('3');
    expect(received).toBe('123');
  });

  it('that was opened late carries each byte once', async () => {
    proxy.fail({ delayMs: 1 });
    await open();
    client.write('1');
    await expect.poll(() => received).toBe('1');
    proxy.resume();
    client.write('2');
    await expect.poll(() => received).toContain('2');
    client.write('3');
    await expect.poll(() => received).toContain('3');
    expect(received).toBe('123');
  });

  it('that was opened late during a stall is carried afterwards', async () => {
    proxy.fail({ delayMs: 1 });
    await open();
    client.write('1');
    proxy.stall();
    await expect.poll(() => proxy.waiting()).toBe(1);
    expect(received).toBe('');
    proxy.resume();
    await expect.poll(() => received).toBe('1');
  });
});
