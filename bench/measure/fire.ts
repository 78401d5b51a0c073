import autocannon from 'autocannon';
import type { Contender } from './contender.ts';

export const CONNECTIONS = 10;

/** One turn: requests a second, and how long each answer took, in milliseconds. */
export type Turn = { rate: number; times: number[] };

/** Asks without a pause for so many seconds. @throws Error for any answer of another status */
export function fire({ origin, requests }: Contender, status: number, seconds: number): Promise<Turn> {
  return new Promise((resolve, reject) => {
    const times: number[] = [];
    let unexpected = 0;
    let connections = 0;
    const setupClient = (client: autocannon.Client) => {
      const first = connections++ % requests.length;
      client.setRequests([...requests.slice(first), ...requests.slice(0, first)]);
    };
    const startedAt = performance.now();
    const instance = autocannon(
      { url: origin, connections: CONNECTIONS, duration: seconds, requests: [...requests], setupClient },
      (error: unknown, result) => {
        if (error) return reject(new Error('The load could not be made', { cause: error }));
        const failed = unexpected + result.errors + result.timeouts;
        if (failed > 0) return reject(new Error(`${failed} answers were not ${status}`));
        resolve({ rate: (times.length * 1000) / (endedAt - startedAt), times });
      },
    );
    let endedAt = startedAt;
    instance.on('response', (_client, answered, _bytes, time) => {
      times.push(time);
      endedAt = performance.now();
      if (answered !== status) unexpected++;
    });
  });
}
