import { readFile } from 'node:fs/promises';
import type { IncomingMessage, Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import pg from 'pg';
import { allCases } from '../cases/all-cases.ts';
import type { BenchData } from '../data/bench-data.ts';
import type { BaselineResponse } from './baseline-context.ts';
import { findUser } from './find-user.ts';

const data = JSON.parse(await readFile(process.argv[2] ?? '', 'utf8')) as BenchData;
const pool = new pg.Pool({
  connectionString: data.databaseUrl,
  // Like the app's pool.
  max: 10,
  options: '-c max_parallel_workers_per_gather=0',
});

/** Paths are `/<case number>/<the app's path>`. */
export async function handleRequest(request: IncomingMessage): Promise<BaselineResponse> {
  const [, number, path = ''] = /^\/(\d+)(\/.*)$/.exec(request.url ?? '') ?? [];
  const benchCase = allCases[Number(number)];
  if (!benchCase) return { status: 404, headers: {}, body: '' };
  const json: unknown = request.method === 'GET' ? null : JSON.parse(await text(request));
  if (benchCase.isPublic) return benchCase.baseline();
  const user = await findUser(pool, request.headers.cookie ?? '', data.sessionSecret);
  if (!user) return { status: 401, headers: {}, body: '' };
  return benchCase.baseline({ pool, user, data, path, json });
}

/** Listens on a free port. */
export function listen(server: Server): void {
  server.listen(0, '127.0.0.1', () => {
    console.log(`The baseline is at http://localhost:${(server.address() as AddressInfo).port}`);
  });
  process.on('SIGTERM', () => process.exit(0));
}
