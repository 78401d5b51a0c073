import { createHash } from 'node:crypto';
import { ZipFile } from 'yazl';

export type NewEntry = { path: string; content: Buffer | string; mode?: number; compress?: boolean };

export async function writeZip(entries: NewEntry[], { zip64 = false } = {}): Promise<Buffer> {
  const zip = new ZipFile();
  for (const { path, content, mode = 0o100644, compress = true } of entries)
    zip.addBuffer(Buffer.from(content), path, { mode, compress });
  zip.end({ forceZip64Format: zip64, comment: '' });
  const chunks: Buffer[] = [];
  for await (const chunk of zip.outputStream) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

/** In the local headers and in the central directory. Of the same length, so that all offsets stay. */
export function renameEntry(zip: Buffer, path: string, renamed: string): Buffer {
  if (path.length !== renamed.length) throw new Error('The names differ in length');
  return Buffer.from(zip.toString('latin1').replaceAll(path, renamed), 'latin1');
}

const CENTRAL_HEADER = Buffer.from('PK\x01\x02', 'latin1');
const ZIP64_END = Buffer.from('PK\x06\x06', 'latin1');

/** Changes the central header of an entry. */
export function editCentralHeader(zip: Buffer, path: string, edit: (header: Buffer) => void): Buffer {
  const edited = Buffer.from(zip);
  for (let at = edited.indexOf(CENTRAL_HEADER); at >= 0; at = edited.indexOf(CENTRAL_HEADER, at + 4)) {
    const nameLength = edited.readUInt16LE(at + 28);
    if (edited.toString('utf8', at + 46, at + 46 + nameLength) === path) edit(edited.subarray(at));
  }
  if (edited.equals(zip)) throw new Error('Nothing was changed');
  return edited;
}

export function setEntryCount(zip64: Buffer, count: number): Buffer {
  const edited = Buffer.from(zip64);
  const at = edited.indexOf(ZIP64_END);
  edited.writeBigUInt64LE(BigInt(count), at + 24);
  edited.writeBigUInt64LE(BigInt(count), at + 32);
  return edited;
}

/** A file of data.json. */
export function describeFile(path: string, bytes: Buffer, contentType = 'image/jpeg') {
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  return { path, contentType, byteSize: bytes.length, sha256, width: 60, height: 40 };
}
