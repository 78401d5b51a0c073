import { describe, expect, it } from 'vitest';
import { ApiError } from '../../lib/api-client.ts';
import { detailFailure, explainFailure, isRefusal } from './upload-failure.ts';

const storageError = (status: number, body: string) =>
  Object.assign(new Error('S3 returned'), { status, body });

describe('what is said about a failed upload', () => {
  it('is what the server said', () => {
    expect(explainFailure(new ApiError(413, '{"message":"Your album is full."}'))).toBe(
      'Your album is full.',
    );
  });

  it('is what the storage said, as JSON or as XML', () => {
    expect(explainFailure(storageError(403, '{"message":"Request has expired"}'))).toBe(
      'Request has expired',
    );
    const xml = '<Error><Code>AccessDenied</Code><Message>Request has expired</Message></Error>';
    expect(explainFailure(storageError(403, xml))).toBe('Request has expired');
  });

  it('names a lost session', () => {
    expect(explainFailure(new ApiError(401, '{"message":"Unauthorized"}'))).toBe('Authorization required');
    expect(explainFailure(storageError(401, ''))).toBe('Authorization required');
  });

  it('tells a cut connection from an answer that nobody expected', () => {
    expect(explainFailure(new TypeError('Failed to fetch'))).toMatch(/connection/);
    expect(explainFailure(new Error('Network error during S3 request'))).toMatch(/connection/);
    expect(explainFailure(new ApiError(500, '<html>'))).toMatch(/unexpected/);
  });
});

describe('the details of a failed upload', () => {
  it('tell which step it was, and what was answered', () => {
    expect(detailFailure('storage', storageError(403, ''))).toBe(
      'It happened while the photo was being sent. The answer was 403.',
    );
    expect(detailFailure('memory', new TypeError('Failed to fetch'))).toBe(
      'It happened after the photo had arrived, while the memory was being made. No answer came.',
    );
  });
});

describe('a refusal', () => {
  it.each([404, 413, 415, 422])('is %i', (status) => expect(isRefusal(new ApiError(status, ''))).toBe(true));
  it.each([401, 408, 409, 429, 500, 503])('is not %i', (status) =>
    expect(isRefusal(new ApiError(status, ''))).toBe(false),
  );
  it('is not a cut connection', () => expect(isRefusal(new TypeError('Failed to fetch'))).toBe(false));
});
