import { expect, it } from 'vitest';
import { countByKind, kindOf } from './count-lines.mjs';

it.each([
  ['server/features/pets/pet-routes.ts', 'production'],
  ['shared/pet.ts', 'production'],
  ['client/src/index.css', 'production'],
  ['server/features/pets/pet-routes.test.ts', 'tests'],
  ['server/testing/factories.ts', 'tests'],
  ['client/src/testing/fake-server/fake-server.ts', 'tests'],
  ['e2e/pets.spec.ts', 'tests'],
  ['server/demo/demo-pets.ts', 'demo'],
  ['scripts/build.mjs', null],
  ['docs/security.md', null],
  ['migrations/0001_first.sql', null],
])('%s is %s', (path, kind) => expect(kindOf(path)).toBe(kind));

it('adds up files and lines, with and without a revision', () => {
  const counts = [
    'main:shared/pet.ts:30',
    'main:shared/user.ts:12',
    'shared/user.test.ts:7',
    'main:README.md:9',
  ];
  expect(countByKind(counts)).toEqual({
    production: { files: 2, lines: 42 },
    tests: { files: 1, lines: 7 },
  });
});
