import { describe, expect, it } from 'vitest';
import { ApiError } from '../../lib/api/api-client.ts';
import { isTransient } from './retries.ts';
import { StorageError } from './upload-error.ts';

describe('isTransient', () => {
  it.each([408, 425, 429, 500, 502, 503, 504])('is %i', (status) =>
    expect(isTransient(new StorageError(status, ''))).toBe(true),
  );
  it.each([400, 401, 403, 404, 409, 413, 415, 501, 505, 507])('is not %i', (status) =>
    expect(isTransient(new ApiError(status, ''))).toBe(false),
  );
  it('is not a decode that took too long', () =>
    expect(isTransient(new ApiError(503, '{"message":"Slow","code":"decode-timeout"}'))).toBe(false));
  it('is a broken connection', () => {
    expect(isTransient(new TypeError('Failed to fetch'))).toBe(true);
    expect(isTransient(new StorageError(undefined, ''))).toBe(true);
  });
});
