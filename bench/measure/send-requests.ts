import autocannon from 'autocannon';
import type { MeasuredServer } from './measured-server.ts';

export const CONNECTIONS = 10;

/** Requests per second, and the duration of each response in milliseconds. */
export type Turn = { rate: number; times: number[] };

/** Sends requests without pauses. @throws Error if any response has another status */
export function sendRequests(
  { origin, requests }: MeasuredServer,
  status: number,
  seconds: number,
): Promise<Turn> {
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
        if (error) return reject(new Error('The load generator failed', { cause: error }));
        const failed = unexpected + result.errors + result.timeouts;
        if (failed > 0) return reject(new Error(`${failed} responses did not have status ${status}`));
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
