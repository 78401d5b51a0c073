import type { Readable } from 'node:stream';

/**
 * Bytes by key, like `originals/<id>`. Browsers upload to signed URLs. An uploaded object must be copied before use: the
 * browser can overwrite it until its URL expires, but not a copy.
 */
export type ObjectStorage = {
  /** A URL for PUTs of at most `maxBytes`, with the type and size if these are given. */
  createUploadUrl(upload: UploadPermission): Promise<string>;
  /** Null for a URL that is not an upload's. Checks only the path, not the signature. */
  uploadIdOf(url: string): string | null;
  /** Concurrent calls may copy different bytes. False if nothing was uploaded. */
  copyUpload(uploadId: string, key: string): Promise<boolean>;
  /** Deletes the uploaded bytes. */
  closeUpload(uploadId: string): Promise<void>;
  /** Deletes the rest after the URL has expired. */
  purgeUpload(uploadId: string): Promise<void>;

  write(key: string, body: Buffer, contentType: string): Promise<void>;
  /** Atomic: a stream that fails stores nothing. A stream that cannot be stored is destroyed. */
  writeStream(key: string, body: Readable, contentType: string): Promise<void>;
  read(key: string): Promise<Buffer | null>;
  open(key: string, range?: ByteRange | null): Promise<Readable | null>;
  sizeOf(key: string): Promise<number | null>;
  /** Idempotent. */
  delete(key: string): Promise<void>;

  /** @throws if the storage does not answer */
  check(): Promise<void>;

  /** Receives the PUTs; null if browsers upload to `uploadOrigin`. */
  receiver: UploadReceiver | null;
  uploadOrigin(): Promise<string | null>;
};

/** Inclusive. */
export type ByteRange = { start: number; end: number };

export type UploadPermission = {
  uploadId: string;
  contentType: string | null;
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
