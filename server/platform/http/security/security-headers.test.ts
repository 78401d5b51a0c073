import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { startTestServer } from '../../../testing/test-server.ts';

const server = await startTestServer({ env: { PUBLIC_URL: 'https://mems.example' } });

describe('a response over https', () => {
  it.each([
    ['/api/config', 200, 'application/json; charset=utf-8'],
    ['/api/user', 401, 'application/json; charset=utf-8'],
    ['/api/nowhere', 404, 'application/json; charset=utf-8'],
    ['/p/unknown', 404, 'text/html; charset=utf-8'],
    ['/.env', 404, 'application/json; charset=utf-8'],
    ['/%2e%2e/package.json', 404, 'application/json; charset=utf-8'],
  ])('for %s has the headers that browsers need to protect it', async (path, status, type) => {
    const response = await server.visitor().get(path, { Origin: 'https://evil.example' });
    expect([response.status, response.headers.get('Content-Type')]).toEqual([status, type]);
    expect(response.headers.get('Strict-Transport-Security')).toBe('max-age=31536000; includeSubDomains');
    expect(response.headers.get('X-Content-Type-Options')).toBe('nosniff');
    expect(response.headers.get('Content-Security-Policy')).toContain("object-src 'none';base-uri 'none'");
    expect(response.headers.get('Content-Security-Policy')).toContain("frame-ancestors 'none'");
    expect(response.headers.get('Access-Control-Allow-Origin')).toBeNull();
  });
});

describe('a raw request', () => {
  it('with TRACE is not echoed', async () => {
    const response = await sendRaw('TRACE / HTTP/1.1\r\nHost: mems.example\r\nX-Secret: echo\r\n');
    expect(response).toMatch(/^HTTP\/1.1 404 /);
    expect(response).not.toContain('X-Secret');
  });

  it('with both a length and chunks is rejected, against request smuggling', async () => {
    const lengths = 'Content-Length: 5\r\nTransfer-Encoding: chunked\r\n';
    const response = await sendRaw(`POST /api/logout HTTP/1.1\r\nHost: mems.example\r\n${lengths}`);
    expect(response).toMatch(/^HTTP\/1.1 400 /);
  });
});

async function sendRaw(head: string): Promise<string> {
  const socket = connect(Number(new URL(server.origin).port), '127.0.0.1');
  await once(socket, 'connect');
  socket.write(`${head}Connection: close\r\n\r\n`);
  return text(socket);
}
