import { createReadStream, createWriteStream, existsSync } from 'node:fs';
import { readFile, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { extract, pack, type Header } from 'tar-stream';
import { beforeAll, describe, expect, it } from 'vitest';
import { backUp, emptyInstallation, restore, temporaryFolder } from '../../../testing/data/backups.ts';
import { addMemory } from '../../../testing/data/factories.ts';
import { startTestServer } from '../../../testing/test-server.ts';

type Item = { header: Partial<Header> & { name: string }; body: Buffer };

let items: Item[];
let bytes: Buffer;

beforeAll(async () => {
  const server = await startTestServer();
  await addMemory(await server.signUp('ana'));
  const file = join(server.dataDir, 'album.tar');
  await backUp(server.context.config, file);
  bytes = await readFile(file);
  items = await readItems(file);
});

async function readItems(file: string): Promise<Item[]> {
  const tar = extract();
  const reading = pipeline(createReadStream(file), tar);
  const found: Item[] = [];
  for await (const entry of tar)
    found.push({ header: { name: entry.header.name }, body: await buffer(entry as AsyncIterable<Buffer>) });
  await reading;
  return found;
}

async function writeItems(list: Item[]): Promise<string> {
  const file = join(await temporaryFolder(), 'bad.tar');
  const tar = pack();
  for (const { header, body } of list) tar.entry(header, body);
  tar.finalize();
  await pipeline(tar, createWriteStream(file));
  return file;
}

/** Replaces an item, by the beginning of its name. */
function changed(name: string, change: (item: Item) => Item[]): Item[] {
  const index = items.findIndex(({ header }) => header.name.startsWith(name));
  return items.toSpliced(index, 1, ...change(items[index]!));
}

const flipped = (body: Buffer) => Buffer.concat([Buffer.from([body[0]! ^ 1]), body.subarray(1)]);
const flip = ({ header, body }: Item) => [{ header, body: flipped(body) }];
const json = (edit: (value: Record<string, unknown>) => object) => (item: Item) => [
  {
    ...item,
    body: Buffer.from(JSON.stringify(edit(JSON.parse(item.body.toString()) as Record<string, unknown>))),
  },
];
const file = (name: string, body = 'x'): Item => ({ header: { name }, body: Buffer.from(body) });
const special = (header: Item['header']): Item => ({ header, body: Buffer.alloc(0) });

const CASES: [string, () => Item[], RegExp][] = [
  [
    'with a changed object',
    () => changed('objects/', flip),
    /object originals\/\S+ is not the one that was backed up/,
  ],
  [
    'with a changed row',
    () => changed('tables/users/', flip),
    /table users is not the one that was backed up/,
  ],
  ['without a table', () => changed('tables/users/', () => []), /table users is not the one/],
  ['without an object', () => changed('objects/', () => []), /is not the one that was backed up/],
  ['without a list', () => changed('object-lists/', () => []), /object that is in no list/],
  [
    'with another table',
    () => changed('tables/', (each) => [file('tables/other/1'), each]),
    /table other that is in no list/,
  ],
  [
    'with another object',
    () => changed('manifest', (each) => [file('objects/originals/a'), each]),
    /object that is in no list/,
  ],
  [
    'with a changed header',
    () =>
      changed(
        'backup.json',
        json((all) => ({ ...all, release: '0.0.1' })),
      ),
    /header is not the original/,
  ],
  [
    'with a changed count',
    () =>
      changed(
        'manifest',
        json((all) => ({ ...all, objects: { ...(all['objects'] as object), count: 0 } })),
      ),
    /objects are not those/,
  ],
  [
    'with an unreadable manifest',
    () => changed('manifest', (each) => [{ ...each, body: Buffer.from('{') }]),
    /description cannot be read/,
  ],
  ['that continues after its end', () => [...items, file('objects/originals/a')], /continues after its end/],
  ['without its end', () => items.slice(0, -1), /is cut off: its end is missing/],
  [
    'with a path that leaves the folder',
    () => changed('objects/', (each) => [file('objects/../../evil'), each]),
    /an entry "objects\/\.\.\/\.\.\/evil", which no backup has/,
  ],
  [
    'with an absolute path',
    () => changed('objects/', (each) => [file('/etc/passwd'), each]),
    /an entry "\/etc\/passwd"/,
  ],
  [
    'with a table named like SQL',
    () => changed('tables/', (each) => [file('tables/a; drop/1'), each]),
    /which no backup has/,
  ],
  [
    'with a symbolic link',
    () =>
      changed('objects/', (each) => [
        special({ name: 'objects/a', type: 'symlink', linkname: '/etc/passwd' }),
        each,
      ]),
    /its entry "objects\/a" is a symlink, not a file/,
  ],
  [
    'with a hard link',
    () =>
      changed('objects/', (each) => [
        special({ name: 'objects/a', type: 'link', linkname: '/etc/passwd' }),
        each,
      ]),
    /is a link, not a file/,
  ],
  [
    'with a folder',
    () => [special({ name: 'objects', type: 'directory' }), ...items],
    /is a directory, not a file/,
  ],
  ['of another program', () => [file('README.md', 'hello')], /is no backup of this program/],
  [
    'of another format',
    () =>
      changed(
        'backup.json',
        json(() => ({ format: 'other', version: 1 })),
      ),
    /is no backup of this program/,
  ],
  [
    'of a newer format',
    () =>
      changed(
        'backup.json',
        json(() => ({ format: 'mems-are-forever backup', version: 2, release: '9.0.0' })),
      ),
    /was made by a newer release \(9\.0\.0\)/,
  ],
];

describe('a backup', () => {
  it.each(CASES)('%s is rejected by name, and nothing is written', async (_name, make, message) => {
    await expectRejection(await writeItems(make()), message);
  });

  it('of a newer schema is rejected by name', async () => {
    const edited = changed(
      'backup.json',
      json((all) => ({ ...all, release: '9.0.0', migration: { tag: 'x', when: 9e12 } })),
    );
    const header = edited.find(({ header: { name } }) => name === 'backup.json')!.body;
    const sha = Buffer.from(await crypto.subtle.digest('SHA-256', new Uint8Array(header))).toString('hex');
    const manifest = edited.find(({ header: { name } }) => name === 'manifest.json')!;
    manifest.body = json((all) => ({ ...all, headerSha256: sha }))(manifest)[0]!.body;
    await expectRejection(await writeItems(edited), /was made by a newer release \(9\.0\.0\)/);
  });

  it('that is cut off anywhere is rejected', async () => {
    const path = join(await temporaryFolder(), 'cut.tar');
    for (const share of [0, 0.001, 0.3, 0.6, 0.9, 0.99]) {
      await writeFile(path, bytes);
      await truncate(path, Math.floor(bytes.length * share));
      await expectRejection(path, /is cut off|is no backup/);
    }
  });

  it('that is no tar, or no file, is rejected', async () => {
    const folder = await temporaryFolder();
    const path = join(folder, 'photo.jpg');
    for (const content of [
      Buffer.alloc(0),
      Buffer.alloc(4096),
      Buffer.alloc(4096, 'jpeg'),
      Buffer.from('short'),
    ]) {
      await writeFile(path, content);
      await expectRejection(path, /is no backup of this program/);
    }
    await expectRejection(folder, /is not a file/);
    await expectRejection(join(folder, 'missing'), /There is no file/);
  });
});

async function expectRejection(path: string, message: RegExp): Promise<void> {
  const { config } = await emptyInstallation({ DATABASE_URL: undefined });
  await expect(restore(config, path)).rejects.toThrow(message);
  await expect(restore(config, path, '--check')).rejects.toThrow(path);
  expect(existsSync(config.dataDir)).toBe(false);
}
