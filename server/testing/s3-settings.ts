import { createTestBucket, type TestS3 } from '../platform/object-storage/testing/test-bucket.ts';

/** The variables for a bucket of its own. */
export async function s3Settings(s3: TestS3): Promise<Record<string, string>> {
  const { bucket, region } = await createTestBucket(s3);
  return {
    OBJECT_STORAGE: 's3',
    S3_BUCKET: bucket,
    S3_REGION: region,
    S3_ENDPOINT: s3.endpoint,
    S3_PATH_STYLE: 'true',
    S3_ACCESS_KEY_ID: s3.accessKeyId,
    S3_SECRET_ACCESS_KEY: s3.secretAccessKey,
  };
}
