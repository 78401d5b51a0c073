import { afterAll } from 'vitest';
import { CaricatureList, type Caricature, type CaricatureStyle } from '#shared/caricature';
import type { Memory } from '#shared/memory';
import type { Pet } from '#shared/pet';
import { addMemory, addPet } from './factories.ts';
import type { TestClient, TestResponse } from './test-client.ts';
import { OPENAI_KEY, startOpenaiServer, type TestOpenaiServer } from './openai-server.ts';
import { startTestServer, type TestServer } from './test-server.ts';

/** A server whose caricatures OpenAI draws, played by a stand-in: the local artist takes a second for each. Both end after the test file. */
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

/** Somebody with a pet and a photo of it, who has agreed that photos go out, or was not asked yet. */
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

/** Asks for the caricature of the owner's photo, or of another memory's. */
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

/** The same, begun. */
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

/** As it is now. */
export async function findCaricature(client: TestClient, { id }: Caricature): Promise<Caricature> {
  const found = (await listCaricatures(client)).find((each) => each.id === id);
  if (!found) throw new Error(`There is no caricature ${id}`);
  return found;
}

/** One that is drawn. */
export async function generateCaricature(server: TestServer, owner: PetOwner): Promise<Caricature> {
  const begun = await beginCaricature(owner);
  await server.drainJobs();
  return findCaricature(owner, begun);
}
