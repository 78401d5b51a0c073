import { randomUUID } from 'node:crypto';
import { CreateBucketCommand, PutBucketCorsCommand, S3Client } from '@aws-sdk/client-s3';
import type { S3Options } from '../s3-object-storage.ts';

/** A real S3 server for tests. */
export type TestS3 = { endpoint: string; accessKeyId: string; secretAccessKey: string };

/** A bucket of its own, into which browsers may put photos from any page, as the README has it. */
export async function createTestBucket({ endpoint, ...credentials }: TestS3): Promise<S3Options> {
  const bucket = `test-${randomUUID()}`;
  const client = new S3Client({ endpoint, credentials, region: 'us-east-1', forcePathStyle: true });
  await client.send(new CreateBucketCommand({ Bucket: bucket }));
  const rule = {
    AllowedOrigins: ['*'],
    AllowedMethods: ['PUT'],
    AllowedHeaders: ['content-type'],
    ExposeHeaders: ['ETag'],
  };
  await client.send(new PutBucketCorsCommand({ Bucket: bucket, CORSConfiguration: { CORSRules: [rule] } }));
  client.destroy();
  return { bucket, endpoint, credentials, region: 'us-east-1', isPathStyle: true };
}
