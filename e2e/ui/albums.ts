import type { Memory } from '#shared/album/memory';
import type { Pet } from '#shared/album/pet';
import type { FakeServer } from '../../client/src/testing/fake-server/fake-server.ts';
import { PLACEHOLDER } from '../../client/src/testing/fake-server/photo.ts';
import { newId, NOW, type FakeState } from '../../client/src/testing/fake-server/state/fake-state.ts';

const HOUR = 60 * 60 * 1000;

export function newMemory(state: FakeState, details: Partial<Memory> = {}): Memory {
  return {
    id: newId(state),
    petId: null,
    imageUrl: `/objects/${newId(state)}`,
    caption: null,
    tags: [],
    isLiked: false,
    memoryDate: null,
    dateSource: null,
    createdAt: NOW,
    source: 'web',
    width: 640,
    height: 480,
    isAnimated: false,
    placeholder: PLACEHOLDER,
    ...details,
  };
}

/** 'Day 1' was added an hour ago, 'Day 2' an hour earlier. @param apart in ms; `shapes` in turns */
export function addDays(
  { state }: FakeServer,
  count: number,
  { apart = HOUR, petId = null, shapes = [[640, 480]] }: DayOptions = {},
): void {
  const days = Array.from({ length: count }, (_, index) => {
    const [width, height] = shapes[index % shapes.length]!;
    const createdAt = new Date(Date.parse(NOW) - (index + 1) * apart).toISOString();
    return newMemory(state, { caption: `Day ${index + 1}`, petId, createdAt, width, height });
  });
  state.album.memories.push(...days);
}

interface DayOptions {
  apart?: number;
  petId?: string | null;
  shapes?: [width: number, height: number][];
}

/** Adds a memory, which becomes the newest unless `createdAt` says otherwise. */
export function addMemory(
  { state }: FakeServer,
  caption: string | null,
  details: Partial<Memory> = {},
): Memory {
  const memory = newMemory(state, { caption, ...details });
  state.album.memories = [memory, ...state.album.memories].toSorted(
    (a, b) => Number(b.createdAt > a.createdAt) - Number(b.createdAt < a.createdAt),
  );
  return memory;
}

/** One a minute, the last one now. */
export function addMemories(server: FakeServer, captions: string[], details: Partial<Memory> = {}): Memory[] {
  return captions.map((caption, index) => {
    const createdAt = new Date(Date.parse(NOW) - (captions.length - 1 - index) * 60_000).toISOString();
    return addMemory(server, caption || null, { createdAt, ...details });
  });
}

export function addPet({ state }: FakeServer, details: Partial<Pet> = {}): Pet {
  const pet: Pet = {
    id: newId(state),
    name: 'Rex',
    species: 'dog',
    breed: null,
    age: null,
    weight: null,
    birthdayOrGotchaDay: null,
    description: null,
    profileImageUrl: null,
    profileImageCrop: null,
    createdAt: NOW,
    ...details,
  };
  state.pets.push(pet);
  return pet;
}
