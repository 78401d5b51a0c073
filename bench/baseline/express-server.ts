import { createServer } from 'node:http';
import express from 'express';
import { answerRequest, listen } from './answer-request.ts';

// The baseline of cases that measure the app's middleware: Express with one route and no middleware.
const app = express();
app.get('/:case/*path', async (request, response) => {
  const { status, headers, body } = await answerRequest(request);
  response.status(status).set(headers).send(body);
});
listen(createServer(app));
