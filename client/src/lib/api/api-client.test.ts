import { describe, expect, it } from 'vitest';
import { TOO_LARGE_FOR_SERVER } from '#shared/api/api-error';
import { ApiError, isLostSession, parseNextLink, serverMessage } from './api-client.ts';

describe('ApiError', () => {
  it('has the status and body as its message, and the parsed body', () => {
    const error = new ApiError(409, '{"message":"Taken","fields":{"email":"Taken"}}');
    expect(error.message).toBe('409: {"message":"Taken","fields":{"email":"Taken"}}');
    expect(error.body?.fields).toEqual({ email: 'Taken' });
  });

  it("has no body if the response is not our server's", () => {
    expect(new ApiError(502, '<html>Bad gateway</html>').body).toBeNull();
  });
});

/** Of nginx, Caddy, Traefik, Cloudflare, and a gateway with JSON of its own. */
const TOO_LARGE_PAGES = [
  '<html><head><title>413 Request Entity Too Large</title></head><center>nginx</center></html>',
  '',
  'Request Entity Too Large',
  '<!DOCTYPE html><title>413 Payload Too Large | cloudflare</title>',
  '{"error":{"code":413,"status":"too large"}}',
];

describe('serverMessage', () => {
  it.each(TOO_LARGE_PAGES)('says that a proxy rejects the size, after %j', (page) =>
    expect(serverMessage(new ApiError(413, page))).toBe(TOO_LARGE_FOR_SERVER),
  );

  it("is the server's own, and of other pages there is none", () => {
    expect(serverMessage(new ApiError(413, '{"message":"Your album is full."}'))).toBe('Your album is full.');
    expect(serverMessage(new ApiError(502, '<html>Bad gateway</html>'))).toBeUndefined();
  });
});

describe('isLostSession', () => {
  it.each([
    ['{"message":"Please sign in","code":"session-lost"}', true],
    ['{"message":"Unauthorized, says another","code":"sign-in-expired"}', false],
    ['{"message":"Unauthorized"}', true],
    ['Unauthorized', true],
    ['{"message":"This email and password do not match"}', false],
  ])('knows it by the code, or else by the text: %j', (body, isLost) =>
    expect(isLostSession(new ApiError(401, body))).toBe(isLost),
  );
});

describe('parseNextLink', () => {
  it('finds the next page', () => {
    expect(parseNextLink('</api/memories?limit=100&cursor=abc>; rel="next"')).toBe(
      '/api/memories?limit=100&cursor=abc',
    );
  });

  it('finds it among other links, whose URLs may contain commas', () => {
    expect(parseNextLink('</a?x=1,2>; rel="prev", </b?x=3,4>; rel="next last"')).toBe('/b?x=3,4');
  });

  it('returns null without a next link', () => {
    expect(parseNextLink(null)).toBeNull();
    expect(parseNextLink('</a>; rel="prev"')).toBeNull();
    expect(parseNextLink('</a>; rel="nextish"')).toBeNull();
  });
});
