import { afterEach, describe, expect, it } from 'vitest';
import {
  eraseGoogleAccessTokens,
  googleAccessTokens,
  hasGoogleAccessToken,
  withGoogleAccessToken,
  withoutAccessToken,
} from './google-access-tokens.ts';
import { isSignInExpired } from '../upload-error.ts';

const source = { companionUrl: '/companion', url: '/companion/google-picker/get', requestClientId: 'x' };
const picked = { ...source, body: { platform: 'photos', fileId: '1', accessToken: 'secret' } };

describe('the access token of a picked photo', () => {
  afterEach(eraseGoogleAccessTokens);

  it('is not stored with the photo, but sent', async () => {
    const stored = withoutAccessToken(picked);
    expect(JSON.stringify(stored)).not.toContain('secret');
    await googleAccessTokens.setItem('uppy:google-photos-picker:accessToken', 'newer');
    expect(withGoogleAccessToken(stored)).toEqual({ platform: 'photos', fileId: '1', accessToken: 'newer' });
  });

  it('is asked for again after a reload', () => {
    expect(hasGoogleAccessToken(picked)).toBe(false);
    expect(() => withGoogleAccessToken(picked)).toThrow(/Your Google Photos sign-in has expired/);
    try {
      withGoogleAccessToken(picked);
    } catch (error) {
      expect(isSignInExpired(error)).toBe(true);
    }
  });

  it('is not needed for other sources', () => {
    const link = { ...source, body: { url: 'https://a.example/rex.jpg' } };
    expect(hasGoogleAccessToken(link)).toBe(true);
    expect(withGoogleAccessToken(link)).toEqual(link.body);
  });
});
