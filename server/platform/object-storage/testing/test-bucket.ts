import { randomUUID } from 'node:crypto';
import {
  CreateBucketCommand,
  ListObjectsV2Command,
  PutBucketCorsCommand,
  S3Client,
} from '@aws-sdk/client-s3';
import type { S3Options } from '../s3-object-storage.ts';

/** A real S3 server for tests. */
export type TestS3 = { endpoint: string; accessKeyId: string; secretAccessKey: string };

/** A bucket of its own, into which browsers may put photos from any page, as the README has it. */
export async function createTestBucket({ endpoint, ...credentials }: TestS3): Promise<S3Options> {
  const bucket = `test-${randomUUID()}`;
  const client = createClient({ endpoint, credentials });
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

/** The keys of all objects. */
export async function listBucket({ bucket, ...options }: S3Options): Promise<string[]> {
  const client = createClient(options);
  const keys: string[] = [];
  let ContinuationToken: string | undefined;
  do {
    const page = await client.send(new ListObjectsV2Command({ Bucket: bucket, ContinuationToken }));
    keys.push(...(page.Contents ?? []).flatMap(({ Key }) => Key ?? []));
    ContinuationToken = page.NextContinuationToken;
  } while (ContinuationToken);
  client.destroy();
  return keys.sort();
}

function createClient({ endpoint, credentials }: Pick<S3Options, 'endpoint' | 'credentials'>): S3Client {
  return new S3Client({
    region: 'us-east-1',
    forcePathStyle: true,
    ...(endpoint && { endpoint }),
    ...(credentials && { credentials }),
  });
}
