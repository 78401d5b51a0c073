import { describe, expect, it } from 'vitest';
import { UnavailableError } from '../../errors.ts';
import { createS3ObjectStorage } from './s3-object-storage.ts';

describe('S3, when it does not answer,', () => {
  const storage = createS3ObjectStorage({
    bucket: 'nowhere',
    region: 'us-east-1',
    endpoint: 'http://127.0.0.1:1',
    isPathStyle: true,
    credentials: { accessKeyId: 'a', secretAccessKey: 'b' },
  });

  it('is unavailable, rather than empty', async () => {
    await expect(storage.read('originals/a')).rejects.toThrow(UnavailableError);
    await expect(storage.copyUpload('01900000-0000-7000-8000-000000000001', 'originals/a')).rejects.toThrow(
      UnavailableError,
    );
    await expect(storage.check()).rejects.toThrow(UnavailableError);
  });

  it('still signs addresses, at its own origin', async () => {
    expect(await storage.uploadOrigin()).toBe('http://127.0.0.1:1');
  });
});
