import type { Readable } from 'node:stream';
import {
  AbortMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  type GetObjectCommandOutput,
  type ListMultipartUploadsCommandOutput,
  HeadBucketCommand,
  HeadObjectCommand,
  ListMultipartUploadsCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
  S3ServiceException,
  type S3ClientConfig,
} from '@aws-sdk/client-s3';
import { Upload } from '@aws-sdk/lib-storage';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { AppError, UnavailableError } from '../errors.ts';
import {
  OBJECT_KEY,
  uploadIdIn,
  type ObjectStorage,
  type StoredObject,
  type UploadPermission,
} from './object-storage.ts';
import { StartupError } from '../process/startup-error.ts';

export type S3Options = {
  bucket: string;
  region: string;
  /** Null for Amazon S3. */
  endpoint: string | null;
  isPathStyle: boolean;
  /** Null for the SDK's default chain: environment, profile, or the role of the container or instance. */
  credentials: { accessKeyId: string; secretAccessKey: string; sessionToken?: string } | null;
  timeouts?: S3Timeouts;
};

/** In milliseconds, for each attempt. */
type S3Timeouts = {
  connectMs: number;
  /** Until the response to a small request begins. */
  responseMs: number;
  /** Until the response to a request that sends or copies up to 10 MB begins. */
  transferMs: number;
  /** Without a byte in either direction. A whole stream has no limit. */
  idleMs: number;
};

const TIMEOUTS: S3Timeouts = { connectMs: 3_000, responseMs: 5_000, transferMs: 60_000, idleMs: 15_000 };
/** One less than the SDK's default, since a user waits. */
const MAX_ATTEMPTS = 2;

type S3Bucket = { client: S3Client; name: string; small: { requestTimeout: number } };

/** Any S3-compatible server. Browsers upload to presigned URLs. */
export function createS3ObjectStorage(options: S3Options): ObjectStorage & { close(): void } {
  const timeouts = options.timeouts ?? TIMEOUTS;
  const client = createClient(options, timeouts);
  const bucket: S3Bucket = { client, name: options.bucket, small: { requestTimeout: timeouts.responseMs } };
  return {
    createUploadUrl: (upload) => orUnavailable(presign(bucket, upload)),
    uploadIdOf: uploadIdIn,
    isUploaded: async (uploadId) => (await sizeOf(bucket, uploadKey(uploadId))) !== null,
    async storeUpload(uploadId, key, maxBytes) {
      const bytes = await readUpload(bucket, uploadId, maxBytes);
      if (!bytes || bytes === 'too-large') return bytes;
      return { bytes, stored: write(bucket, key, bytes, 'application/octet-stream') };
    },
    deleteUpload: (uploadId) => remove(bucket, uploadKey(uploadId)),
    write: (key, body, contentType) => write(bucket, key, body, contentType),
    writeStream: (key, body, contentType) => writeStream(bucket, key, body, contentType),
    async read(key) {
      const object = await get(bucket, key);
      return object && readBody(object.Body);
    },
    async open(key, range) {
      const object = await get(bucket, key, range ? `bytes=${range.start}-${range.end}` : undefined);
      return (object?.Body as Readable | undefined) ?? null;
    },
    sizeOf: (key) => sizeOf(bucket, key),
    delete: (key) => remove(bucket, key),
    deleteIncomplete: (startedBefore) => deleteIncomplete(bucket, startedBefore),
    list: () => list(bucket),
    async check() {
      await orUnavailable(client.send(new HeadBucketCommand({ Bucket: bucket.name }), bucket.small));
    },
    receiver: null,
    uploadOrigin: () => findUploadOrigin(bucket),
    close: () => client.destroy(),
  };
}

function createClient(options: S3Options, timeouts: S3Timeouts): S3Client {
  return new S3Client({
    region: options.region,
    ...(options.endpoint && { endpoint: options.endpoint }),
    forcePathStyle: options.isPathStyle,
    // A copy, since the SDK changes it and the configuration is frozen.
    ...(options.credentials && { credentials: { ...options.credentials } }),
    maxAttempts: MAX_ATTEMPTS,
    // By default the SDK has no timeouts.
    requestHandler: {
      connectionTimeout: timeouts.connectMs,
      requestTimeout: timeouts.transferMs,
      throwOnRequestTimeout: true,
      socketTimeout: timeouts.idleMs,
    } satisfies S3ClientConfig['requestHandler'],
    // Otherwise a presigned PUT would carry the checksum of an empty body.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  });
}

function uploadKey(uploadId: string): string {
  return `uploads/${uploadId}`;
}

async function sizeOf({ client, name: Bucket, small }: S3Bucket, Key: string): Promise<number | null> {
  const head = await nullIfMissing(client.send(new HeadObjectCommand({ Bucket, Key }), small));
  return head ? (head.ContentLength ?? 0) : null;
}

async function get({ client, name: Bucket, small }: S3Bucket, Key: string, Range?: string) {
  return nullIfMissing(client.send(new GetObjectCommand({ Bucket, Key, ...(Range && { Range }) }), small));
}

async function remove({ client, name: Bucket, small }: S3Bucket, Key: string): Promise<void> {
  await nullIfMissing(client.send(new DeleteObjectCommand({ Bucket, Key }), small));
}

async function readUpload(
  bucket: S3Bucket,
  uploadId: string,
  maxBytes: number,
): Promise<Buffer | 'too-large' | null> {
  const object = await get(bucket, uploadKey(uploadId));
  if (!object) return null;
  if ((object.ContentLength ?? 0) > maxBytes) {
    (object.Body as Readable | undefined)?.destroy();
    return 'too-large';
  }
  return readBody(object.Body);
}

async function write(
  { client, name: Bucket }: S3Bucket,
  Key: string,
  Body: Buffer,
  ContentType: string,
): Promise<void> {
  await orUnavailable(client.send(new PutObjectCommand({ Bucket, Key, Body, ContentType })));
}

async function writeStream(
  { client, name: Bucket }: S3Bucket,
  Key: string,
  Body: Readable,
  ContentType: string,
): Promise<void> {
  // A multipart upload, aborted on errors. `queueSize` parts are in memory.
  const upload = new Upload({ client, params: { Bucket, Key, Body, ContentType }, queueSize: 2 });
  try {
    await orUnavailable(upload.done());
  } catch (error) {
    // A stream that is rejected for what it has is no outage.
    throw Body.errored instanceof AppError ? Body.errored : error;
  } finally {
    Body.destroy();
  }
}

/** S3 sorts by the bytes of the keys. */
async function* list({ client, name: Bucket }: S3Bucket): AsyncGenerator<StoredObject> {
  let ContinuationToken: string | undefined;
  do {
    const command = new ListObjectsV2Command({ Bucket, ...(ContinuationToken && { ContinuationToken }) });
    const page = await orUnavailable(client.send(command));
    for (const { Key = '', Size = 0, ETag = '' } of page.Contents ?? [])
      if (OBJECT_KEY.test(Key)) yield { key: Key, size: Size, version: ETag.replaceAll('"', '') };
    ContinuationToken = page.NextContinuationToken;
  } while (ContinuationToken);
}

async function deleteIncomplete({ client, name: Bucket }: S3Bucket, startedBefore: Date): Promise<void> {
  let next: { KeyMarker?: string | undefined; UploadIdMarker?: string | undefined } | null = {};
  while (next) {
    const page: ListMultipartUploadsCommandOutput = await orUnavailable(
      client.send(new ListMultipartUploadsCommand({ Bucket, ...next })),
    );
    for (const { Key = '', UploadId, Initiated } of page.Uploads ?? [])
      if (OBJECT_KEY.test(Key) && Initiated && Initiated < startedBefore)
        await nullIfMissing(client.send(new AbortMultipartUploadCommand({ Bucket, Key, UploadId })));
    const { NextKeyMarker: KeyMarker, NextUploadIdMarker: UploadIdMarker } = page;
    next = page.IsTruncated ? { KeyMarker, UploadIdMarker } : null;
  }
}

async function findUploadOrigin(bucket: S3Bucket): Promise<string> {
  const url = await presign(bucket, { ...PROBE, uploadId: 'probe' }).catch((error: unknown) => {
    throw new StartupError(
      `There are no credentials for S3 (${String(error)}). ` +
        'Please set S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY, or give this machine a role.',
    );
  });
  return new URL(url).origin;
}

function presign({ client, name: Bucket }: S3Bucket, upload: UploadPermission): Promise<string> {
  const { contentType, size } = upload;
  const command = new PutObjectCommand({
    Bucket,
    Key: uploadKey(upload.uploadId),
    ...(contentType !== null && { ContentType: contentType }),
    ...(size !== null && { ContentLength: size }),
  });
  // S3 rejects a PUT whose signed headers differ.
  const signableHeaders = new Set(['host']);
  if (contentType !== null) signableHeaders.add('content-type');
  if (size !== null) signableHeaders.add('content-length');
  return getSignedUrl(client, command, { expiresIn: upload.lifetimeSeconds, signableHeaders });
}

async function readBody(body: GetObjectCommandOutput['Body']): Promise<Buffer> {
  return Buffer.from(await orUnavailable(body?.transformToByteArray() ?? Promise.resolve(new Uint8Array())));
}

const PROBE = { contentType: null, size: null, maxBytes: 0, lifetimeSeconds: 1, sessionId: null };

/** @throws UnavailableError for every error */
async function orUnavailable<T>(response: Promise<T>): Promise<T> {
  try {
    return await response;
  } catch (error) {
    throw new UnavailableError(undefined, error);
  }
}

async function nullIfMissing<T>(response: Promise<T>): Promise<T | null> {
  try {
    return await response;
  } catch (error) {
    if (
      error instanceof S3ServiceException &&
      error.$metadata.httpStatusCode === 404 &&
      error.name !== 'NoSuchBucket'
    ) {
      return null;
    }
    throw new UnavailableError(undefined, error);
  }
}
