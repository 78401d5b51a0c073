import { describe, expect, it } from 'vitest';
import { totpCode } from '../../../testing/clients/totp.ts';
import { findTimeStep, generateTotpSecret, toTotpUri } from './totp.ts';

/** '12345678901234567890' of RFC 6238, appendix B, whose codes have eight digits. */
const RFC_SECRET = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';

describe('a code of an authenticator app', () => {
  it.each([
    [59, '287082'],
    [1_111_111_109, '081804'],
    [1_234_567_890, '005924'],
    [20_000_000_000, '353130'],
  ])('is that of RFC 6238 at %s s', (seconds, code) => {
    const now = new Date(seconds * 1000);
    expect(findTimeStep(RFC_SECRET, code, now)).toBe(Math.floor(seconds / 30));
  });

  it('is accepted one step early or late, and not two', () => {
    const now = new Date('2026-06-01T12:00:15Z');
    const at = (seconds: number) => totpCode(RFC_SECRET, new Date(now.getTime() + seconds * 1000));
    const current = Math.floor(now.getTime() / 30_000);
    const steps = [-60, -30, 0, 30, 60].map((seconds) => findTimeStep(RFC_SECRET, at(seconds), now));
    expect(steps).toEqual([null, current - 1, current, current + 1, null]);
  });

  it.each(['', '12345', '1234567', 'abcdef', '１２３４５６'])('is not %j', (code) => {
    expect(findTimeStep(RFC_SECRET, code, new Date(59_000))).toBeNull();
  });
});

describe('a new key', () => {
  it('has 160 random bits, and a URI for the app', () => {
    const secret = generateTotpSecret();
    expect(secret).toMatch(/^[A-Z2-7]{32}$/);
    expect(generateTotpSecret()).not.toBe(secret);
    const uri = new URL(toTotpUri(secret, 'ada@mems.example'));
    expect(decodeURIComponent(uri.pathname)).toBe('/Mems Are Forever:ada@mems.example');
    expect(Object.fromEntries(uri.searchParams)).toMatchObject({ secret, issuer: 'Mems Are Forever' });
  });
});
