import { createHash, type Hash } from 'node:crypto';
import { Readable } from 'node:stream';
import type { Entry, Reject } from './backup-entries.ts';
import {
  OBJECTS_PER_LIST,
  parseObjectList,
  type BackupHeader,
  type ListedObject,
  type Manifest,
} from './backup-format.ts';

export type BackupVisitor = {
  /** Reads the body to its end. */
  onObject?: (key: string, body: Readable) => Promise<void>;
  /** Whether the bytes of an object beside the backup are read; by default all are. Their existence is checked anyway. */
  mustRead?: (object: ListedObject) => boolean;
  /** The file of an object beside the backup has other bytes. */
  onDamaged?: (path: string) => Promise<void>;
};

/** Sums what is read. Remembers at most one list of objects. */
export function createSums(reject: Reject) {
  const tables = new Map<string, { hash: Hash; parts: number; bytes: number }>();
  const objects = { count: 0, bytes: 0, lists: 0, hash: createHash('sha256') };
  let unlisted: Omit<ListedObject, 'version'>[] = [];
  let lastKey = '';
  const damaged = (what: string) => reject(`is damaged: ${what}.`);

  return {
    async addTablePart(name: string, part: number, entry: Entry): Promise<void> {
      const table = tables.get(name) ?? { hash: createHash('sha256'), parts: 0, bytes: 0 };
      tables.set(name, table);
      table.parts += 1;
      if (part !== table.parts) throw damaged(`a part of the table ${name} is missing`);
      for await (const chunk of entry) {
        table.hash.update(chunk as Buffer);
        table.bytes += (chunk as Buffer).length;
      }
    },
    async addObject(key: string, entry: Entry, { onObject }: BackupVisitor): Promise<void> {
      const hash = createHash('sha256');
      let size = 0;
      async function* body() {
        for await (const chunk of entry) {
          hash.update(chunk as Buffer);
          size += (chunk as Buffer).length;
          yield chunk as Buffer;
        }
      }
      if (onObject) await onObject(key, Readable.from(body(), { objectMode: false }));
      else for await (const _ of body());
      unlisted.push({ key, size, sha256: hash.digest('hex') });
      if (unlisted.length > OBJECTS_PER_LIST) throw damaged('a list of objects is missing');
    },
    addList(part: number, list: Buffer, location: BackupHeader['objects']): ListedObject[] {
      if (part !== ++objects.lists) throw damaged('a list of objects is missing');
      objects.hash.update(list);
      const listed = parseList(list);
      for (const [index, { key, size, sha256: sum }] of listed.entries()) {
        if (key <= lastKey) throw damaged(`it has the object ${key} twice`);
        lastKey = key;
        objects.count += 1;
        objects.bytes += size;
        const found = unlisted[index];
        if (location === 'inside' && (found?.key !== key || found.size !== size || found.sha256 !== sum))
          throw damaged(`the object ${key} is not the one that was backed up`);
      }
      if (location === 'inside' && unlisted.length !== listed.length)
        throw damaged('it has an object that is in no list');
      unlisted = [];
      return listed;
    },
    compare(headerSha256: string, manifest: Manifest): void {
      if (headerSha256 !== manifest.headerSha256) throw damaged('its header is not the original one');
      for (const { name, parts, bytes, sha256: sum } of manifest.tables) {
        const { hash, ...found } = tables.get(name) ?? { hash: createHash('sha256'), parts: 0, bytes: 0 };
        tables.delete(name);
        if (found.parts !== parts || found.bytes !== bytes || hash.digest('hex') !== sum)
          throw damaged(`the table ${name} is not the one that was backed up`);
      }
      for (const [name] of tables) throw damaged(`it has a table ${name} that is in no list`);
      if (unlisted.length > 0) throw damaged('it has an object that is in no list');
      const { hash, ...found } = objects;
      const { sha256: sum, ...expected } = manifest.objects;
      if (JSON.stringify(found) !== JSON.stringify(expected) || hash.digest('hex') !== sum)
        throw damaged('its objects are not those that were backed up');
    },
  };

  function parseList(list: Buffer): ListedObject[] {
    try {
      return parseObjectList(list);
    } catch {
      throw damaged('a list of objects cannot be read');
    }
  }
}
