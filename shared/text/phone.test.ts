import { describe, expect, it } from 'vitest';
import { formatPhoneNumber, toE164, VerifyPhoneRequest } from './phone.ts';

describe('toE164', () => {
  it.each([
    ['2065550123', '+12065550123'],
    ['(206) 555-0123', '+12065550123'],
    ['1 206 555 0123', '+12065550123'],
    ['+1 206.555.0123', '+12065550123'],
    [' +44 7400 123456', '+447400123456'],
    // Without a plus every number is taken as a US number.
    ['44 7400 123456', '+1447400123456'],
    ['＋４４ ７４００ １２３４５６', '+447400123456'],
    ['٢٠٦٥٥٥٠١٢٣', '+12065550123'],
    ['۲۰۶۵۵۵۰۱۲۳', '+12065550123'],
  ])('converts %s to %s', (typed, e164) => {
    expect(toE164(typed)).toBe(e164);
  });
});

describe('formatPhoneNumber', () => {
  it('groups the digits', () => {
    expect(formatPhoneNumber('+12065550123')).toBe('+1 206 555 0123');
    expect(formatPhoneNumber('+447400123456')).toBe('+447400123456');
  });
});

describe('typed code', () => {
  it('is reduced to its six digits', () => {
    const parse = (code: string) => VerifyPhoneRequest.safeParse({ phoneNumber: '2065550123', code });
    expect(parse(' 123 456').data).toEqual({ phoneNumber: '+12065550123', code: '123456' });
    expect(parse('١٢٣٤٥٦').data?.code).toBe('123456');
    for (const wrong of ['', '12345', '1234567', 'abcdef']) {
      expect(parse(wrong).error?.issues[0]?.message).toBe('Please enter the 6-digit code');
    }
  });
});
