import type { TestClient } from './test-client.ts';

/** A list page by page, by following their links. */
export async function readPages(client: TestClient, path: string): Promise<unknown[]> {
  const { body, headers } = await client.get(path);
  const next = /<(.*)>; rel="next"/.exec(headers.get('Link') ?? '')?.[1];
  return [body, ...(next ? await readPages(client, next) : [])];
}
