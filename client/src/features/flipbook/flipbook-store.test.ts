import { expect, it } from 'vitest';
import { toBookOrder } from './flipbook-store.ts';

it('a book starts with the oldest of the chosen memories', () => {
  expect(toBookOrder(['may', 'april', 'march'], new Set(['may', 'march']))).toEqual(['march', 'may']);
});

it('leaves out memories that no longer exist', () => {
  expect(toBookOrder(['may'], new Set(['may', 'gone']))).toEqual(['may']);
});
