import type { TestClient } from './test-client.ts';

/** Reads all pages of a list by their Link headers. */
export async function readPages(client: TestClient, path: string): Promise<unknown[]> {
  const { body, headers } = await client.get(path);
  const next = /<(.*)>; rel="next"/.exec(headers.get('Link') ?? '')?.[1];
  return [body, ...(next ? await readPages(client, next) : [])];
}
