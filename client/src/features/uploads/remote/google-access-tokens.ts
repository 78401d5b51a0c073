import type { AsyncStore } from '@uppy/core';
import { signInExpiredMessage, VENDOR_SIGN_IN_EXPIRED } from '#shared/transfers/remote-source';
import { ApiError } from '../../../lib/api/api-client.ts';
import type { RemotePhoto } from '../one-photo.ts';

type Remote = RemotePhoto['remote'];

/** The pickers' access tokens. In memory only: neither local storage nor Golden Retriever's database may have them. */
const tokens = new Map<string, string>();

export const googleAccessTokens: AsyncStore = {
  getItem: (key) => tokens.get(key) ?? null,
  setItem: (key, token) => void tokens.set(key, token),
  removeItem: (key) => void tokens.delete(key),
};

export function eraseGoogleAccessTokens(): void {
  tokens.clear();
}

/** For storing. `withGoogleAccessToken` adds the token again. */
export function withoutAccessToken(remote: Remote): Remote {
  const { accessToken: _, ...body } = remote.body ?? {};
  return { ...remote, body };
}

export function hasGoogleAccessToken({ body }: Remote): boolean {
  return !isFromGooglePicker(body) || tokens.has(keyOf(body));
}

/** @throws ApiError as the server does when Google rejects the token: after a reload it is gone */
export function withGoogleAccessToken({ body }: Remote): Record<string, unknown> {
  if (!isFromGooglePicker(body)) return body ?? {};
  const accessToken = tokens.get(keyOf(body));
  if (accessToken) return { ...body, accessToken };
  const message = signInExpiredMessage(
    body.platform === 'photos' ? 'google-photos-picker' : 'google-drive-picker',
  );
  throw new ApiError(401, JSON.stringify({ message, code: VENDOR_SIGN_IN_EXPIRED }));
}

interface PickedFile {
  platform: 'photos' | 'drive';
}

/** Uppy's name. */
function keyOf({ platform }: PickedFile): string {
  return `uppy:google-${platform}-picker:accessToken`;
}

export function isFromGooglePicker(body: Remote['body']): body is NonNullable<Remote['body']> & PickedFile {
  return body?.['platform'] === 'photos' || body?.['platform'] === 'drive';
}
