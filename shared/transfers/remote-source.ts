import * as z from 'zod/mini';

/** Where @uppy/companion is mounted. */
export const REMOTE_PATH = '/companion';

/** Sources whose files the user browses after signing in at the vendor. */
export const OAUTH_SOURCES = ['dropbox', 'onedrive', 'google-drive'] as const;
export type OAuthSource = (typeof OAUTH_SOURCES)[number];

/** A source that is configured, with the keys that the browser needs. */
export const RemoteSourceConfig = z.discriminatedUnion('source', [
  z.object({ source: z.literal('url') }),
  z.object({ source: z.literal('google-photos-picker'), clientId: z.string() }),
  z.object({
    source: z.literal('google-drive-picker'),
    clientId: z.string(),
    apiKey: z.string(),
    appId: z.string(),
  }),
  z.object({ source: z.enum(OAUTH_SOURCES) }),
]);
export type RemoteSourceConfig = z.infer<typeof RemoteSourceConfig>;
export type RemoteSource = RemoteSourceConfig['source'];

export const REMOTE_SOURCE_NAMES: Record<RemoteSource, string> = {
  url: 'Link',
  'google-photos-picker': 'Google Photos',
  'google-drive-picker': 'Google Drive',
  dropbox: 'Dropbox',
  onedrive: 'OneDrive',
  'google-drive': 'Google Drive',
};

/** POST /companion/url/meta */
export const PhotoLinkRequest = z.object({ url: z.string() });

/** What a link leads to. The preview is a small image as a data: URL. */
export const LinkedPhoto = z.object({
  name: z.string(),
  type: z.string(),
  size: z.int(),
  preview: z.string(),
});
export type LinkedPhoto = z.infer<typeof LinkedPhoto>;

/** The token that the browser knows of a sign-in at a vendor. The real one is in the user's session. */
export const SESSION_TOKEN = 'session';

/** The code of a 401 by the vendor. A 401 without it is ours: the user is signed out of the app. */
export const VENDOR_SIGN_IN_EXPIRED = 'vendor-sign-in-expired';

export function signInExpiredMessage(source: RemoteSource): string {
  return `Your ${REMOTE_SOURCE_NAMES[source]} sign-in has expired. Please sign in again.`;
}

export const REMOTE_ERRORS = {
  notALink: 'Please enter a link that starts with http:// or https://.',
  linkTooLong: 'This link is too long. Save the photo and add it from your device.',
  page: 'This link leads to a web page, not to a photo. Open the photo there and copy its own link.',
  video: 'This link leads to a video. Only photos can be added.',
  tooSlow: 'This photo came too slowly. Please try again, or save it and add it from your device.',
  unreachable: 'We could not reach this link. Please check it and try again.',
  notFound: 'There is no photo at this link.',
  rejected: 'The website does not let us have this photo. Save it and add it from your device.',
  forbiddenAddress: 'This link leads to a private address, which we do not open.',
  forbiddenPort:
    'This link has a port number, which we do not open. Save the photo and add it from your device.',
  redirects: 'This link redirects too often. Please copy the link of the photo itself.',
  interrupted: 'The photo could not be fetched. Please try again.',
  notStored: 'The photo could not be stored. Please try again.',
  /** More than the user's or the server's share of photos is being fetched. */
  busy: 'Several photos are being added at the moment. Please try again shortly.',
} as const;
