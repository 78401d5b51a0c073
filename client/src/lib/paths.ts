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

export function flipbookPath(bookId: string): string {
  return paths.flipbook.replace(':bookId', bookId);
}

export function caricaturePath(memoryId: string): string {
  return `${paths.gallery}?${new URLSearchParams({ tab: 'caricatures', photo: memoryId })}`;
}

/** The history state of a flipbook if the previous entry is the gallery. */
export const CAME_FROM_GALLERY = { cameFrom: 'gallery' };
