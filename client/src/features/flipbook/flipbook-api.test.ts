import { expect, it } from 'vitest';
import { inBookOrder } from './flipbook-api.ts';

it('a book tells the chosen memories from the oldest on, whatever the order of choosing', () => {
  expect(inBookOrder(['may', 'april', 'march'], new Set(['may', 'march']))).toEqual(['march', 'may']);
});

it('leaves out what is not there any more', () => {
  expect(inBookOrder(['may'], new Set(['may', 'gone']))).toEqual(['may']);
});
