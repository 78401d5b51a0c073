import { cruise } from 'dependency-cruiser';
import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findRings } from './import-rings.mjs';
import { root } from '../lib/root.mjs';

const { forbidden, options } = createRequire(import.meta.url)('../../.dependency-cruiser.cjs');

/** For each rule, the smallest offence: a file and what it imports. */
const OFFENCES = {
  'no-cycles': ['server/pets/a.ts', './b.ts'],
  'shared-imports-only-zod': ['shared/pet.ts', 'express'],
  'client-never-imports-server': [
    'client/src/lib/api-client.ts',
    '../../../server/platform/config/config.ts',
  ],
  'bench-is-imported-by-no-other-folder': ['server/platform/config/config.ts', '../../../bench/main.ts'],
  'server-never-imports-client': ['server/platform/config/config.ts', '../../../client/src/main.tsx'],
  'client-foundations-know-no-feature': ['client/src/ui/button.tsx', '../features/pets/pet-card.tsx'],
  'client-features-know-no-page': ['client/src/features/pets/pet-card.tsx', '../../pages/pets-page.tsx'],
  'client-pages-know-no-app': ['client/src/pages/pets-page.tsx', '../app/routes.tsx'],
  'client-feature-imports-public-files-of-another': [
    'client/src/features/pets/pet-card.tsx',
    '../memories/memory-card.tsx',
  ],
  'server-platform-imports-no-feature-and-no-app': [
    'server/platform/db/database.ts',
    '../../features/pets/pet-queries.ts',
  ],
  'server-features-import-no-app': ['server/features/pets/create-pet.ts', '../../app/compose.ts'],
  'server-app-imports-no-demo': ['server/app/main.ts', '../demo/create-demo-account.ts'],
  'express-only-at-the-http-edge': ['server/features/pets/create-pet.ts', 'express'],
  'drizzle-only-in-queries-and-db': ['server/features/pets/create-pet.ts', 'drizzle-orm'],
  'routes-use-queries-of-their-own-feature-only': [
    'server/features/pets/pet-routes.ts',
    '../memories/memory-queries.ts',
  ],
  'queries-know-no-service': ['server/features/pets/pet-queries.ts', './pet-service.ts'],
  'vendor-sdk-only-in-platform': ['server/features/pets/create-pet.ts', 'twilio'],
  'adapters-are-named-only-in-compose': [
    'server/features/pets/create-pet.ts',
    '../../platform/mailer/smtp-mailer.ts',
  ],
  'testing-only-from-tests': ['server/features/pets/create-pet.ts', '../testing/factories.ts'],
};

/** Folders whose files and folders form layers. */
const LAYERED = [
  ...['client/src/features', 'server/features', 'server/features/accounts'].flatMap((path) =>
    readdirSync(join(root, path)).map((feature) => `${path}/${feature}`),
  ),
  'client/src/lib',
  'client/src/ui',
  'server/platform',
];

let folder;

beforeAll(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'mems-imports-')));
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

function write(path, content) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
}

/** A tree with one file that imports one other, which imports it back where the rule is about cycles. */
function writeOffence(rule) {
  const tree = join(folder, rule);
  const [from, to] = OFFENCES[rule];
  for (const room of ['client', 'server', 'shared']) mkdirSync(join(tree, room), { recursive: true });
  write(join(tree, 'package.json'), '{ "type": "module" }');
  write(join(tree, from), `import { it } from '${to}';\nexport const other = it;\n`);
  const back = rule === 'no-cycles' ? "export { other as it } from './a.ts';\n" : 'export const it = 1;\n';
  if (to.startsWith('.')) write(join(tree, dirname(from), to), back);
  else {
    write(join(tree, 'node_modules', to, 'package.json'), `{ "name": "${to}", "main": "index.js" }`);
    write(join(tree, 'node_modules', to, 'index.js'), 'exports.it = 1;\n');
  }
  return tree;
}

async function check(baseDir) {
  const { enhancedResolveOptions, ...rest } = options;
  const settings = { ...rest, baseDir, ruleSet: { forbidden }, validate: true };
  const { output } = await cruise(['client', 'server', 'shared'], settings, enhancedResolveOptions);
  return output;
}

let modules;

beforeAll(async () => {
  ({ modules } = await check(root));
});

describe('the import rules', () => {
  it('have an offence here, each', () => {
    expect(Object.keys(OFFENCES).sort()).toEqual(forbidden.map(({ name }) => name).sort());
  });

  it.each(Object.keys(OFFENCES))('report an offence against %s', async (rule) => {
    const { summary } = await check(writeOffence(rule));
    expect(summary.violations.map((each) => each.rule.name)).toContain(rule);
  });

  it('see where every import of ours leads, or they would pass over it', () => {
    const lost = modules.flatMap(({ source, dependencies }) =>
      dependencies.filter((each) => each.couldNotResolve).map(({ module }) => `${source}: ${module}`),
    );
    expect(lost.filter((each) => / [.#]/.test(each))).toEqual([]);
    expect(modules.length).toBeGreaterThan(50);
  });
});

it.each(LAYERED)('%s consists of layers', (path) => {
  expect(findRings(modules, path)).toEqual([]);
});

describe('the features', () => {
  it('form layers: none imports one that imports it, also by others', () => {
    expect(findRings(modules, 'server/features', ['accounts'])).toEqual([]);
    expect(findRings(modules, 'client/src/features')).toEqual([]);
  });

  it('would be reported in a ring of two or of three, but not for their tests', async () => {
    const tree = join(folder, 'rings');
    for (const room of ['client', 'shared']) mkdirSync(join(tree, room), { recursive: true });
    const imports = {
      'pets/pet.ts': '../memories/memory.ts',
      'memories/memory.ts': '../pets/pet.ts',
      'accounts/users/user.ts': '../sessions/session.ts',
      'accounts/sessions/session.ts': '../admin/admin.ts',
      'accounts/admin/admin.ts': '../users/user.ts',
      'shares/share.ts': '../pets/pet.ts',
      'images/image.ts': './variant.ts',
      'images/variant.ts': './image.ts',
      'batches/batch.ts': '../contacts/contact.ts',
      'contacts/contact.ts': '../pets/pet.ts',
      'contacts/contact.test.ts': '../batches/batch.ts',
    };
    write(join(tree, 'package.json'), '{ "type": "module" }');
    for (const [file, imported] of Object.entries(imports))
      write(join(tree, 'server/features', file), `import * as it from '${imported}';\nexport { it };\n`);
    const { modules: found } = await check(tree);
    expect(findRings(found, 'server/features', ['accounts'])).toEqual([
      ['accounts/admin', 'accounts/sessions', 'accounts/users'],
      ['memories', 'pets'],
    ]);
  });
});
