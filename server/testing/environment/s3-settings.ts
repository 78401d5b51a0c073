import type { S3Options } from '../../platform/object-storage/s3-object-storage.ts';
import { createTestBucket, type TestS3 } from '../../platform/object-storage/testing/test-bucket.ts';

/** The variables for a bucket of its own. */
export async function s3Settings(s3: TestS3): Promise<Record<string, string>> {
  return toS3Settings(s3, await createTestBucket(s3));
}

export function toS3Settings(
  { endpoint, accessKeyId, secretAccessKey }: TestS3,
  { bucket, region }: S3Options,
): Record<string, string> {
  return {
    OBJECT_STORAGE: 's3',
    S3_BUCKET: bucket,
    S3_REGION: region,
    S3_ENDPOINT: endpoint,
    S3_PATH_STYLE: 'true',
    S3_ACCESS_KEY_ID: accessKeyId,
    S3_SECRET_ACCESS_KEY: secretAccessKey,
  };
}
