import { createServer, type ServerResponse } from 'node:http';
import { handleRequest, listen } from './handle-request.ts';
import type { BaselineResponse } from './baseline-context.ts';

// The baseline of most cases: node:http and pg only.
function send(response: ServerResponse, { status, headers, body }: BaselineResponse): void {
  response.writeHead(status, { ...headers, ...(body && { 'Content-Length': Buffer.byteLength(body) }) });
  response.end(body);
}

const server = createServer((request, response) => {
  handleRequest(request).then(
    (found) => send(response, found),
    (error: unknown) => {
      console.error(error);
      send(response, { status: 500, headers: {}, body: '' });
    },
  );
});
listen(server);
