import { isDeepStrictEqual } from 'node:util';
import type { BenchCase } from '../cases/bench-case.ts';
import type { Contender } from './contender.ts';

/** @throws Error when the two do not answer all requests alike, or not with the case's status */
export async function compareAnswers(benchCase: BenchCase, app: Contender, floor: Contender): Promise<void> {
  const { name, status = 200 } = benchCase;
  for (const index of app.requests.keys()) {
    const answers = [await ask(app, index), await ask(floor, index)] as const;
    for (const answer of answers) {
      if (answer.status === status) continue;
      throw new Error(`${name}: ${answer.url} answered ${answer.status}: ${answer.bytes.toString()}`);
    }
    const [ofApp, ofFloor] = answers.map(readAnswer);
    if (!isDeepStrictEqual(ofApp, ofFloor)) throw new Error(`${name}: the app and the floor differ`);
  }
}

type Answer = { url: string; status: number; type: string | null; bytes: Buffer };

async function ask({ origin, requests }: Contender, index: number): Promise<Answer> {
  const { path, method, headers, body } = requests[index] as Contender['requests'][number];
  const url = `${origin}${path}`;
  // Otherwise fetch would say no-cache along with a condition.
  const init = { method, headers: { ...headers, 'Cache-Control': 'max-age=0' }, ...(body && { body }) };
  const response = await fetch(url, init);
  const bytes = Buffer.from(await response.arrayBuffer());
  return { url, status: response.status, type: response.headers.get('Content-Type'), bytes };
}

/** JSON by what it says, all else byte by byte. */
function readAnswer({ type, bytes }: Answer): unknown {
  return type?.startsWith('application/json') ? JSON.parse(bytes.toString()) : bytes;
}
