import { randomUUID } from 'node:crypto';
import { CreateBucketCommand, PutBucketCorsCommand, S3Client } from '@aws-sdk/client-s3';
import { inject } from 'vitest';
import type { S3Options } from '../s3-object-storage.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** A real S3 server for tests; null when there is none. */
    s3: { endpoint: string; accessKeyId: string; secretAccessKey: string } | null;
  }
}

/** A bucket of its own, to which a browser at `origin` may put photos. */
export async function createTestBucket(origin = '*'): Promise<S3Options> {
  const s3 = inject('s3');
  if (!s3) throw new Error('There is no S3 server for tests');
  const { endpoint, ...credentials } = s3;
  const bucket = `test-${randomUUID()}`;
  const client = new S3Client({ endpoint, credentials, region: 'us-east-1', forcePathStyle: true });
  await client.send(new CreateBucketCommand({ Bucket: bucket }));
  const rule = {
    AllowedOrigins: [origin],
    AllowedMethods: ['PUT'],
    AllowedHeaders: ['content-type'],
    ExposeHeaders: ['ETag'],
  };
  await client.send(new PutBucketCorsCommand({ Bucket: bucket, CORSConfiguration: { CORSRules: [rule] } }));
  client.destroy();
  return { bucket, endpoint, credentials, region: 'us-east-1', isPathStyle: true };
}
