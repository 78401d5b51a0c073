import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { ExportList } from '#shared/transfers/export';
import { Import, IMPORT_CHUNK_BYTES, ImportList } from '#shared/transfers/import';
import { ExportData } from '../../features/exports/export-format.ts';
import { readZip } from '../assertions/read-zip.ts';
import type { TestServer } from '../test-server.ts';
import type { TestClient } from './test-client.ts';

type Server = Pick<TestServer, 'drainJobs'>;

export async function exportZips(server: Server, client: TestClient): Promise<Buffer[]> {
  expect((await client.post('/api/exports')).status).toBe(202);
  await server.drainJobs();
  const [found] = ExportList.parse((await client.get('/api/exports')).body);
  expect(found?.status).toBe('completed');
  return Promise.all((found?.parts ?? []).map(async ({ url }) => (await client.get(url)).bytes));
}

export async function startImport(client: TestClient, zip: Buffer, fileName = 'album.zip'): Promise<Import> {
  const response = await client.post('/api/imports', { fileName, size: zip.length });
  expect([response.status, response.text]).toEqual([201, response.text]);
  return Import.parse(response.body);
}

export function putChunk(client: TestClient, { id }: { id: string }, zip: Buffer, number: number) {
  return client.request('PUT', `/api/imports/${id}/chunks/${number}`, {
    body: zip.subarray(number * IMPORT_CHUNK_BYTES, (number + 1) * IMPORT_CHUNK_BYTES),
    headers: { 'Content-Type': 'application/octet-stream' },
  });
}

/** Without running the job. */
export async function uploadImport(client: TestClient, zip: Buffer, fileName?: string): Promise<Import> {
  let current = await startImport(client, zip, fileName);
  while (current.status === 'receiving') {
    const response = await putChunk(client, current, zip, current.receivedBytes / IMPORT_CHUNK_BYTES);
    expect([response.status, response.text]).toEqual([
      response.status < 300 ? response.status : 200,
      response.text,
    ]);
    current = Import.parse(response.body);
  }
  return current;
}

export async function findImport(client: TestClient): Promise<Import | undefined> {
  return ImportList.parse((await client.get('/api/imports')).body)[0];
}

export async function importZip(server: Server, client: TestClient, zip: Buffer): Promise<Import> {
  const { id } = await uploadImport(client, zip);
  await server.drainJobs();
  const found = await findImport(client);
  expect(found?.id).toBe(id);
  return found!;
}

export type ExportedAlbum = {
  data: ExportData;
  /** The bytes of each picture, by its path. */
  files: Map<string, Buffer>;
};

export async function readAlbumOf(zips: Buffer[]): Promise<ExportedAlbum> {
  const files = new Map((await Promise.all(zips.map(readZip))).flatMap((zip) => [...zip.files]));
  return { data: ExportData.parse(JSON.parse(files.get('data.json')?.toString() ?? '')), files };
}

/** All that an import restores: the ids are replaced by positions, and the account's own data is left out. */
export function normalize({ data, files }: ExportedAlbum) {
  const numbers = new Map<string, number>();
  const sorted = <Item extends { id: string; createdAt: string }>(items: Item[]) => {
    // Of two at the same moment the ids differ in each album.
    const list = items.toSorted((a, b) => (a.createdAt < b.createdAt ? -1 : 1));
    list.forEach(({ id }, index) => numbers.set(id, index));
    return list;
  };
  const pets = sorted(data.pets);
  const memories = sorted(data.memories);
  const contacts = sorted(data.contacts);
  const caricatures = sorted(data.caricatures);
  const number = (id: string | null) => (id === null ? null : (numbers.get(id) ?? 'unknown'));
  const picture = <File extends { path: string }>(file: File | null) =>
    file && {
      ...file,
      path: file.path.replace(/ [0-9a-f]{8}(?=\.\w+$)/, ''),
      bytes: files.get(file.path)?.toString('base64'),
    };
  const { firstName, lastName, timeZone, allowedSenders } = data.user;
  return {
    user: { firstName, lastName, timeZone, allowedSenders },
    pets: pets.map(({ pictureOriginal = null, pictureCrop = null, ...pet }) => ({
      ...pet,
      id: number(pet.id),
      picture: picture(pet.picture),
      pictureOriginal: picture(pictureOriginal),
      pictureCrop,
    })),
    memories: memories.map((memory) => ({
      ...memory,
      id: number(memory.id),
      petId: number(memory.petId),
      file: picture(memory.file),
    })),
    contacts: contacts.map(({ isActive: _, ...contact }) => ({
      ...contact,
      id: number(contact.id),
      mutedPetIds: contact.mutedPetIds.map(number),
    })),
    caricatures: caricatures.map((caricature) => ({
      ...caricature,
      id: number(caricature.id),
      petId: number(caricature.petId),
      memoryId: number(caricature.memoryId),
      savedMemoryId: number(caricature.savedMemoryId),
      file: picture(caricature.file),
    })),
  };
}

export async function listObjects({ dataDir }: Pick<TestServer, 'dataDir'>): Promise<string[]> {
  const folder = join(dataDir, 'objects');
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((each) => each.isFile())
    .map((each) => join(each.parentPath, each.name).slice(folder.length + 1))
    .sort();
}
