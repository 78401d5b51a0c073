import { describe, expect, it } from 'vitest';
import { TOO_LARGE_FOR_SERVER } from '#shared/api/api-error';
import { ApiError } from '../../lib/api/api-client.ts';
import { toUploadErrorDetails, toUploadErrorMessage, isRejection, StorageError } from './upload-error.ts';

const storageError = (status: number | undefined, body: string) => new StorageError(status, body);

describe('upload error message', () => {
  it("is the server's", () => {
    expect(toUploadErrorMessage(new ApiError(413, '{"message":"Your album is full."}'))).toBe(
      'Your album is full.',
    );
  });

  it("is the storage's, from JSON or XML", () => {
    expect(toUploadErrorMessage(storageError(403, '{"message":"Request has expired"}'))).toBe(
      'Request has expired',
    );
    const xml = '<Error><Code>AccessDenied</Code><Message>Request has expired</Message></Error>';
    expect(toUploadErrorMessage(storageError(403, xml))).toBe('Request has expired');
  });

  it('names a lost session', () => {
    expect(toUploadErrorMessage(new ApiError(401, '{"message":"Unauthorized"}'))).toBe(
      'Authorization required',
    );
    expect(toUploadErrorMessage(storageError(401, ''))).toBe('Authorization required');
  });

  it('says that a proxy before the server or the storage rejects the size', () => {
    const page = '<h1>413 Request Entity Too Large</h1>';
    for (const error of [new ApiError(413, page), storageError(413, page), storageError(413, '')])
      expect(toUploadErrorMessage(error)).toBe(TOO_LARGE_FOR_SERVER);
    expect(toUploadErrorMessage(storageError(413, '{"message":"Too many pixels"}'))).toBe('Too many pixels');
  });

  it('distinguishes a broken connection from an unexpected response', () => {
    expect(toUploadErrorMessage(new TypeError('Failed to fetch'))).toMatch(/connection/);
    expect(toUploadErrorMessage(storageError(undefined, ''))).toMatch(/connection/);
    expect(toUploadErrorMessage(storageError(502, '<html>'))).toMatch(/couldn't reach/);
    expect(toUploadErrorMessage(new ApiError(500, '<html>'))).toMatch(/unexpected/);
  });
});

describe('upload error details', () => {
  it('name the step and the status', () => {
    expect(toUploadErrorDetails('storage', storageError(403, ''))).toBe(
      'The photo could not be sent. The server answered 403.',
    );
    expect(toUploadErrorDetails('memory', new TypeError('Failed to fetch'))).toBe(
      'The photo was sent, but the memory could not be saved. The server did not answer.',
    );
  });
});

describe('isRejection', () => {
  it.each([404, 413, 415, 422])('is %i', (status) =>
    expect(isRejection(new ApiError(status, ''))).toBe(true),
  );
  it.each([401, 408, 409, 429, 500, 503])('is not %i', (status) =>
    expect(isRejection(new ApiError(status, ''))).toBe(false),
  );
  it('is a size that the storage, or a proxy before it, does not accept', () => {
    expect(isRejection(storageError(413, '<h1>413 Request Entity Too Large</h1>'))).toBe(true);
    expect(isRejection(storageError(403, '{"message":"Request has expired"}'))).toBe(false);
  });
  it('is not a broken connection', () => expect(isRejection(new TypeError('Failed to fetch'))).toBe(false));
});
