import { createServer } from 'node:http';
import express from 'express';
import { handleRequest, listen } from './handle-request.ts';

// The baseline of cases that measure the app's middleware: Express with one route and no middleware.
const app = express();
app.get('/:case/*path', async (request, response) => {
  const { status, headers, body } = await handleRequest(request);
  response.status(status).set(headers).send(body);
});
listen(createServer(app));
