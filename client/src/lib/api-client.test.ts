import { describe, expect, it } from 'vitest';
import { ApiError, parseNextLink } from './api-client.ts';

describe('ApiError', () => {
  it('reads as the status, a colon and the body, and carries the parsed body', () => {
    const error = new ApiError(409, '{"message":"Taken","fields":{"email":"Taken"}}');
    expect(error.message).toBe('409: {"message":"Taken","fields":{"email":"Taken"}}');
    expect(error.body?.fields).toEqual({ email: 'Taken' });
  });

  it('has no body to show when the answer was not ours', () => {
    expect(new ApiError(502, '<html>Bad gateway</html>').body).toBeNull();
  });
});

describe('parseNextLink', () => {
  it('finds the next page', () => {
    expect(parseNextLink('</api/memories?limit=100&cursor=abc>; rel="next"')).toBe(
      '/api/memories?limit=100&cursor=abc',
    );
  });

  it('finds it among other links, whose addresses may hold commas', () => {
    expect(parseNextLink('</a?x=1,2>; rel="prev", </b?x=3,4>; rel="next last"')).toBe('/b?x=3,4');
  });

  it('knows when there is none', () => {
    expect(parseNextLink(null)).toBeNull();
    expect(parseNextLink('</a>; rel="prev"')).toBeNull();
    expect(parseNextLink('</a>; rel="nextish"')).toBeNull();
  });
});
