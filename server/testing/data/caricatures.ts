import { afterAll } from 'vitest';
import { CaricatureList, type Caricature, type CaricatureStyle } from '#shared/album/caricature';
import type { Memory } from '#shared/album/memory';
import type { Pet } from '#shared/album/pet';
import { addMemory, addPet } from './factories.ts';
import type { TestClient, TestResponse } from '../clients/test-client.ts';
import { OPENAI_KEY, startOpenaiServer, type TestOpenaiServer } from '../fakes/openai-server.ts';
import { startTestServer, type TestServer } from '../test-server.ts';

/** A server whose caricature generator is a fake OpenAI API. Both are closed after the test file. */
export async function startServerWithOpenai(
  options: Parameters<typeof startTestServer>[0] = {},
): Promise<{ server: TestServer; openai: TestOpenaiServer }> {
  const openai = await startOpenaiServer();
  afterAll(() => openai.close());
  const env = { ...openaiSettings(openai), ...options.env };
  return { server: await startTestServer({ ...options, env }), openai };
}

export function openaiSettings({ url }: TestOpenaiServer): {
  OPENAI_API_KEY: string;
  OPENAI_BASE_URL: string;
} {
  return { OPENAI_API_KEY: OPENAI_KEY, OPENAI_BASE_URL: url };
}

/** A user with a pet and one photo of it, who has consented to sending photos unless `agrees` is false. */
export type PetOwner = TestClient & { userId: string; pet: Pet; memory: Memory };

export async function signUpWithPet(
  server: Pick<TestServer, 'signUp'>,
  { agrees = true } = {},
): Promise<PetOwner> {
  const client = await server.signUp();
  if (agrees) await client.post('/api/caricatures/consent');
  const pet = await addPet(client);
  return Object.assign(client, { pet, memory: await addMemory(client, { petId: pet.id }) });
}

/** Requests a caricature of the given memory. */
export function askForCaricature(
  owner: PetOwner,
  { memory = owner.memory, style }: { memory?: Memory; style?: CaricatureStyle } = {},
): Promise<TestResponse> {
  const { id: petId } = owner.pet;
  return owner.post('/api/caricatures/generate', {
    petId,
    imageUrl: memory.imageUrl,
    ...(style && { style }),
  });
}

/** Requests a caricature, and expects the request to be accepted. */
export async function beginCaricature(
  owner: PetOwner,
  options?: Parameters<typeof askForCaricature>[1],
): Promise<Caricature> {
  const response = await askForCaricature(owner, options);
  if (response.status !== 202)
    throw new Error(`The caricature was not begun: ${response.status} ${response.text}`);
  return response.body as Caricature;
}

export async function listCaricatures(client: TestClient, query = ''): Promise<Caricature[]> {
  return CaricatureList.parse((await client.get(`/api/caricatures${query}`)).body);
}

/** Fetches the current state. */
export async function findCaricature(client: TestClient, { id }: Caricature): Promise<Caricature> {
  const found = (await listCaricatures(client)).find((each) => each.id === id);
  if (!found) throw new Error(`There is no caricature ${id}`);
  return found;
}

/** A completed caricature. */
export async function generateCaricature(server: TestServer, owner: PetOwner): Promise<Caricature> {
  const begun = await beginCaricature(owner);
  await server.drainJobs();
  return findCaricature(owner, begun);
}
