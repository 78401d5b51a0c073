export const paths = {
  home: '/',
  auth: '/auth',
  pets: '/pets',
  gallery: '/gallery',
  addMany: '/add-many',
  recentlyDeleted: '/gallery/deleted',
  timeline: '/timeline',
  contacts: '/contacts',
  account: '/account',
  // GET /api/oidc/callback redirects here.
  connectSignIn: '/connect',
  admin: '/admin',
  phoneVerification: '/phone-verification',
  forgotPassword: '/forgot-password',
  // The targets of links in emails.
  resetPassword: '/reset-password',
  verifyEmail: '/verify-email',
  notMe: '/not-me',
  startAgain: '/start-again',
  confirmEmail: '/confirm-email',
  undoEmail: '/undo-email',
  secureAccount: '/secure-account',
  flipbook: '/flipbook/:bookId',
} as const;

/** Where a phone's share sheet posts photos, as the manifest says: the service worker answers, the server only without it. */
export const SHARE_TARGET = '/share-target';

/** Parameter of the page for many, after a share: how many photos came, or why none did. */
export const SHARED_PARAM = 'shared';
export type ShareResult = 'stored' | 'failed' | 'too-many' | 'too-many-wait' | 'other-site' | 'no-worker';

const PATTERNS = Object.values(paths).map(
  (path) => new RegExp(`^${path.replaceAll(/:\w+/g, '[^/]+')}/?$`, 'i'),
);

/** As the client's router matches them: without regard to case, with or without a slash at the end. */
export function isPagePath(path: string): boolean {
  return PATTERNS.some((pattern) => pattern.test(path));
}
