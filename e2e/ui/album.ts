import type { Memory } from '#shared/memory';
import type { Pet } from '#shared/pet';
import type { FakeServer } from '../../client/src/testing/fake-server/fake-server.ts';
import { newId } from '../../client/src/testing/fake-server/fake-state.ts';
import { PLACEHOLDER } from '../../client/src/testing/fake-server/photo.ts';

/** Adds a memory, which becomes the newest unless `createdAt` says otherwise. */
export function addMemory(server: FakeServer, caption: string | null, details: Partial<Memory> = {}): Memory {
  const { state } = server;
  const memory: Memory = {
    id: newId(state),
    petId: null,
    imageUrl: `/objects/${newId(state)}`,
    caption,
    tags: [],
    isLiked: false,
    memoryDate: null,
    dateSource: null,
    createdAt: state.now,
    source: 'web',
    width: 400,
    height: 300,
    placeholder: PLACEHOLDER,
    ...details,
  };
  const memories = [memory, ...state.album.memories];
  state.album.memories = memories.toSorted(
    (a, b) => Number(b.createdAt > a.createdAt) - Number(b.createdAt < a.createdAt),
  );
  return memory;
}

/** In this order, so that the last one is the newest. */
export function addMemories(server: FakeServer, captions: string[]): Memory[] {
  return captions.map((caption) => addMemory(server, caption));
}

export function addPet(server: FakeServer, details: Partial<Pet> = {}): Pet {
  const pet: Pet = {
    id: newId(server.state),
    name: 'Rex',
    species: 'dog',
    breed: null,
    age: null,
    weight: null,
    birthdayOrGotchaDay: null,
    description: null,
    profileImageUrl: null,
    createdAt: server.state.now,
    ...details,
  };
  server.state.pets.push(pet);
  return pet;
}
