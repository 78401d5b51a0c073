import { expect, it } from 'vitest';
import type { MemoryChanges } from './details/memory-changes.ts';
import { canMove, canReorder, pathOfSome } from './memory-moves.ts';

const all = '/api/memories?limit=100';
const search = '/api/memories/search?limit=100&q=snow';
const ofPet = '/api/memories?limit=100&petId=rex';
const taken = '/api/memories?limit=100&order=taken&cursor=abc';
const foundIds = '/api/memories/ids?q=snow';
const takenMonths = '/api/memories/months?order=taken';
const paths = { all, search, ofPet, taken, foundIds, takenMonths };
const namesOf = (can: typeof canMove, changes: MemoryChanges) =>
  Object.entries(paths)
    .filter(([, path]) => can(path, changes))
    .map(([name]) => name);

it('what a memory says moves it between searches, its pet between those of pets too', () => {
  expect(namesOf(canMove, { isLiked: true })).toEqual([]);
  expect(namesOf(canMove, { caption: null })).toEqual(['search', 'foundIds']);
  expect(namesOf(canMove, { tags: [] })).toEqual(['search', 'foundIds']);
  expect(namesOf(canMove, { petId: null })).toEqual(['search', 'ofPet', 'foundIds']);
  expect(namesOf(canMove, { memoryDate: null })).toEqual([]);
});

it('its date or time moves it within those that go by the day of taking', () => {
  expect(namesOf(canReorder, { memoryDate: null })).toEqual(['taken', 'takenMonths']);
  expect(namesOf(canReorder, { memoryTime: null })).toEqual(['taken', 'takenMonths']);
  expect(namesOf(canReorder, { isLiked: true, caption: null, tags: [], petId: null })).toEqual([]);
});

it('some memories are asked for with the words of the whole list', () => {
  expect(pathOfSome(search, ['a'])).toBe('/api/memories/search?q=snow&ids=a');
  expect(pathOfSome(ofPet, ['a', 'b'])).toBe('/api/memories?petId=rex&ids=a%2Cb');
  expect(pathOfSome('/api/memories', ['a'])).toBe('/api/memories?ids=a');
});
