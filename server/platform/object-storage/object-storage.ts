import type { Readable } from 'node:stream';
import type { WritePurpose } from '../files/disk-space.ts';

/**
 * Bytes by key, like `originals/<id>`. Browsers upload to signed URLs. Uploaded bytes must be stored under a key before use:
 * the browser can overwrite the upload until its URL expires.
 */
export type ObjectStorage = {
  /** A URL for PUTs of at most `maxBytes`, with the type and size if these are given. */
  createUploadUrl(upload: UploadPermission): Promise<string>;
  /** Null for a URL that is not an upload's. Checks only the path, not the signature. */
  uploadIdOf(url: string): string | null;
  isUploaded(uploadId: string): Promise<boolean>;
  /**
   * Reads what was uploaded, and stores it under the key, which later PUTs do not change. Null if nothing was uploaded. Concurrent
   * calls may read different bytes.
   */
  storeUpload(uploadId: string, key: string, maxBytes: number): Promise<StoredUpload | 'too-large' | null>;
  /** Idempotent. A later PUT can store bytes again, until the URL expires. */
  deleteUpload(uploadId: string): Promise<void>;

  /** @throws InsufficientStorageError when the disk of the objects is almost full, for the purpose: 'new' by default */
  write(key: string, body: Buffer, contentType: string, purpose?: WritePurpose): Promise<void>;
  /** As `write`, for a 'new' object, whose size is reserved if it is known. Atomic: a stream that fails stores nothing. A stream that cannot be stored is destroyed. */
  writeStream(key: string, body: Readable, contentType: string, byteSize?: number): Promise<void>;
  read(key: string): Promise<Buffer | null>;
  open(key: string, range?: ByteRange | null): Promise<Readable | null>;
  sizeOf(key: string): Promise<number | null>;
  /** Idempotent. */
  delete(key: string): Promise<void>;
  /** Deletes the bytes of streams that began before and never ended: their process was killed. Idempotent. */
  deleteIncomplete(startedBefore: Date): Promise<void>;
  /** All objects in the order of their keys, those that were uploaded included. Concurrent changes may be missed. */
  list(): AsyncIterable<StoredObject>;

  /** @throws if the storage does not answer */
  check(): Promise<void>;

  /** Receives the PUTs; null if browsers upload to `uploadOrigin`. */
  receiver: UploadReceiver | null;
  uploadOrigin(): Promise<string | null>;
};

/** `stored` resolves when the object has been written. */
export type StoredUpload = { bytes: Buffer; stored: Promise<void> };

/** What a program beside the running app may use. */
export type ObjectReader = Pick<ObjectStorage, 'list' | 'open' | 'sizeOf'>;

export const OBJECT_KEY = /^[a-z0-9-]+(\/[a-z0-9-]+)*(\.[a-z0-9]+)?$/;

export type StoredObject = {
  key: string;
  size: number;
  /** Changes with the bytes; comparable within one storage. */
  version: string;
};

/** Inclusive. */
export type ByteRange = { start: number; end: number };

export type UploadPermission = {
  uploadId: string;
  contentType: string | null;
  size: number | null;
  maxBytes: number;
  lifetimeSeconds: number;
  /** The session that must last until the PUT; null if none has to. Only a `receiver` can check it. */
  sessionId: string | null;
};

/** `superseded`: a further PUT to the URL ended this one. */
type ReceiverResult =
  'stored' | 'forged' | 'expired' | 'mistyped' | 'too-large' | 'wrong-size' | 'incomplete' | 'superseded';

export type UploadReceiver = {
  receive(request: {
    uploadId: string;
    query: Record<string, string>;
    contentType: string | null;
    contentLength: number | null;
    body: Readable;
    /** Called for a valid request. An error that it throws is passed on, and nothing is stored. */
    beforeStore: (sessionId: string | null) => Promise<void>;
  }): Promise<ReceiverResult>;
};

const UPLOAD_PATH = /\/uploads\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;

/** See `ObjectStorage.uploadIdOf`. */
export function uploadIdIn(url: string): string | null {
  if (!URL.canParse(url, 'http://relative')) return null;
  return UPLOAD_PATH.exec(new URL(url, 'http://relative').pathname)?.[1] ?? null;
}
