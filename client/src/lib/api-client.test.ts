import { describe, expect, it } from 'vitest';
import { ApiError, parseNextLink } from './api-client.ts';

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
