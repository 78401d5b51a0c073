import type { Memory } from '#shared/album/memory';
import type { TestClient } from './test-client.ts';

export async function memoriesOf(client: TestClient): Promise<Memory[]> {
  return (await client.get('/api/memories')).body as Memory[];
}

export async function trashOf(client: TestClient): Promise<Memory[]> {
  return (await client.get('/api/memories/deleted')).body as Memory[];
}
