import { v7 as uuidv7 } from 'uuid';
import type { Contact } from '#shared/album/contact';
import type { CompletedUpload, Memory } from '#shared/album/memory';
import type { Pet } from '#shared/album/pet';
import { createPasswordResetLink } from '../../features/accounts/users/passwords/password-reset-link.ts';
import type { AppContext } from '../../platform/context.ts';
import type { Db } from '../../platform/db/database.ts';
import { pets } from '../../platform/db/schema/album/pets.ts';
import type { TestClient, TestResponse } from '../clients/test-client.ts';
import { makePhoto } from '../photos/photos.ts';

export function addPasswordResetLink(context: AppContext, userId: string): Promise<string> {
  return context.db.transaction((tx) => createPasswordResetLink(context, tx, userId, null));
}

/** Requests an upload URL and PUTs the bytes there, as the uploader does. */
export async function putPhoto(
  client: TestClient,
  photo: Buffer,
  contentType = 'image/jpeg',
  batchId?: string,
): Promise<string> {
  const asked = await client.post('/api/objects/upload', { contentType, size: photo.length, batchId });
  const { uploadURL } = asked.body as { uploadURL: string };
  const { pathname, search } = new URL(uploadURL);
  // Our own upload URLs have the configured base URL, which is not the server under test.
  const address = pathname.startsWith('/uploads/') ? pathname + search : uploadURL;
  const put = await client.request('PUT', address, {
    body: photo,
    headers: { 'Content-Type': contentType },
  });
  if (put.status !== 200) throw new Error(`The photo was not taken: ${put.status} ${put.text}`);
  return uploadURL;
}

/** Uploads a photo and completes it. */
export async function addMemory(
  client: TestClient,
  values: { caption?: string; tags?: string; memoryDate?: string; petId?: string; photo?: Buffer } = {},
): Promise<Memory> {
  const { photo = await makePhoto(), ...rest } = values;
  const response = await completeUpload(client, { uploadURL: await putPhoto(client, photo), ...rest });
  if (response.status !== 201)
    throw new Error(`The memory was not made: ${response.status} ${response.text}`);
  const { before: _, ...memory } = response.body as CompletedUpload;
  return memory;
}

export function completeUpload(client: TestClient, body: object): Promise<TestResponse> {
  return client.post('/api/memories/complete-upload', body);
}

/** Moves a memory to the trash. */
export function deleteMemory(client: TestClient, id: string): Promise<TestResponse> {
  return client.request('DELETE', `/api/memories/${id}`);
}

export async function insertPet(db: Db, ownerId: string, name = 'Rex'): Promise<string> {
  const id = uuidv7();
  await db.insert(pets).values({ id, ownerId, name, species: 'dog' });
  return id;
}

/** A pet as the form sends it. */
export function petForm(fields: Record<string, string>, photo?: Uint8Array): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  if (photo) form.append('profileImage', new Blob([new Uint8Array(photo)]), 'photo.jpg');
  return form;
}

export async function addPet(
  client: TestClient,
  fields: Record<string, string> = {},
  photo?: Uint8Array,
): Promise<Pet> {
  const body = petForm({ name: 'Rex', species: 'dog', ...fields }, photo);
  const response = await client.request('POST', '/api/pets', { body });
  if (response.status !== 201) throw new Error(`The pet was not made: ${response.status} ${response.text}`);
  return response.body as Pet;
}

export async function addContact(
  client: TestClient,
  fields: Partial<Record<'name' | 'email' | 'relationship', string>> = {},
): Promise<Contact> {
  const response = await client.post('/api/contacts', {
    name: 'Oma Ingrid',
    email: 'ingrid@family.example',
    ...fields,
  });
  if (response.status !== 201)
    throw new Error(`The contact was not made: ${response.status} ${response.text}`);
  return response.body as Contact;
}
