import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { CaricatureList, CaricatureOptions, type Caricature } from '#shared/caricature';
import type { Memory } from '#shared/memory';
import { addMemory, addPet } from '../testing/factories.ts';
import type { TestClient } from '../testing/test-client.ts';
import { startTestServer, type TestServer } from '../testing/test-server.ts';

let server: TestServer;
let owner: TestClient & { userId: string };
let petId: string;
let memory: Memory;

beforeAll(async () => {
  server = await startTestServer();
});
beforeEach(async () => {
  owner = await server.signUp();
  petId = (await addPet(owner)).id;
  memory = await addMemory(owner, { petId });
});

const generate = (client: TestClient = owner) =>
  client.post('/api/caricatures/generate', { petId, imageUrl: memory.imageUrl });
const list = async () => CaricatureList.parse((await owner.get('/api/caricatures')).body);

describe('POST /api/caricatures/generate', () => {
  it('answers at once, and has it drawn', async () => {
    const asked = await generate();
    expect(asked.status).toBe(202);
    expect(asked.body).toMatchObject({ petId, memoryId: memory.id, status: 'generating', style: 'comic' });
    await server.drainJobs();
    const [drawn] = await list();
    expect(drawn).toMatchObject({ status: 'completed', failureReason: null });
    expect((await owner.get(drawn?.caricatureImageUrl ?? '')).headers.get('Content-Type')).toBe('image/png');
    expect(CaricatureOptions.parse((await owner.get('/api/caricatures/options')).body)).toMatchObject({
      enabled: true,
      remaining: 9,
      limit: 10,
      consentNeeded: false,
    });
    const id = drawn?.id ?? '';
    const kept = await Promise.all([1, 2].map(() => owner.post(`/api/caricatures/${id}/keep`)));
    expect(kept.map(({ status }) => status)).toEqual([201, 201]);
    expect(new Set(kept.map(({ body }) => (body as Memory).id)).size).toBe(1);
    expect((await owner.post(`/api/caricatures/${id}/profile-picture`)).body).toMatchObject({ id: petId });
    const shared = await owner.post(`/api/caricatures/${id}/share`);
    expect((await list())[0]?.shareUrl).toBe((shared.body as { url: string }).url);
    expect((await owner.get(`/api/caricatures/${id}/file`)).headers.get('Content-Disposition')).toContain(
      'Rex-caricature.png',
    );
    expect((await owner.request('DELETE', `/api/caricatures/${id}`)).status).toBe(204);
    expect(await list()).toEqual([]);
    const again = (await generate()).body as Caricature;
    expect(again.id).not.toBe(id);
  });
});
