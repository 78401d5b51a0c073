import type { Readable } from 'node:stream';

/**
 * Bytes by key. A key is a path of ours, like `originals/<id>`; it never comes from a request unchecked.
 *
 * An upload goes straight from the browser to the storage, to an address that was signed for it. What was put there
 * counts only once it is copied to a key for which no address was ever signed, so that nobody can change it.
 */
export type ObjectStorage = {
  /** An address that takes one PUT of at most `maxBytes`; with a type or size, of just those. */
  createUploadUrl(upload: UploadPermission): Promise<string>;
  /** The id of the upload that an address was signed for, judged by its path alone; null for a foreign address. */
  uploadIdOf(url: string): string | null;
  /**
   * Copies what was uploaded to a new `key`. Two calls at the same moment, each with its own key, may copy different
   * bytes. False when nothing was uploaded.
   */
  copyUpload(uploadId: string, key: string): Promise<boolean>;
  /** Deletes what lies at an upload's address, once something has come of it. */
  closeUpload(uploadId: string): Promise<void>;
  /** Deletes all that is left of an upload whose address has expired. */
  purgeUpload(uploadId: string): Promise<void>;

  write(key: string, body: Buffer, contentType: string): Promise<void>;
  /**
   * The same without ever holding all of it. It appears whole, when the stream has ended, or not at all: a stream that
   * fails changes nothing, and one that cannot be stored is destroyed.
   */
  writeStream(key: string, body: Readable, contentType: string): Promise<void>;
  /** The bytes, or null when there are none. */
  read(key: string): Promise<Buffer | null>;
  /** The bytes, or a range of them, as a stream; null when there are none. */
  open(key: string, range?: ByteRange | null): Promise<Readable | null>;
  /** Bytes stored under a key; null when there are none. */
  sizeOf(key: string): Promise<number | null>;
  /** Nothing there is no error. */
  delete(key: string): Promise<void>;

  /** Fails when the storage does not answer. */
  check(): Promise<void>;

  /** Takes the PUTs itself, when the storage has no address of its own that a browser could reach. */
  receiver: UploadReceiver | null;
  /** The origin to which browsers put their photos; null when it is our own. */
  uploadOrigin(): Promise<string | null>;
};

/** Positions of the first and the last byte. */
export type ByteRange = { start: number; end: number };

export type UploadPermission = {
  uploadId: string;
  contentType: string | null;
  /** Exact number of bytes, when known. */
  size: number | null;
  maxBytes: number;
  lifetimeSeconds: number;
};

export type UploadReceiver = {
  receive(request: {
    uploadId: string;
    query: Record<string, string>;
    contentType: string | null;
    contentLength: number | null;
    body: Readable;
  }): Promise<
    'stored' | 'forged' | 'expired' | 'mistyped' | 'too-large' | 'wrong-size' | 'completed' | 'incomplete'
  >;
};

const UPLOAD_PATH = /\/uploads\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;

/** See `ObjectStorage.uploadIdOf`. */
export function uploadIdIn(url: string): string | null {
  if (!URL.canParse(url, 'http://relative')) return null;
  return UPLOAD_PATH.exec(new URL(url, 'http://relative').pathname)?.[1] ?? null;
}
