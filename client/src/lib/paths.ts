/** Every address of the app, so that none is spelled twice. */
export const paths = {
  home: '/',
  auth: '/auth',
  pets: '/pets',
  gallery: '/gallery',
  recentlyDeleted: '/gallery/deleted',
  timeline: '/timeline',
  contacts: '/contacts',
  account: '/account',
  phoneVerification: '/phone-verification',
  forgotPassword: '/forgot-password',
  // Where the links in the server's mails lead.
  resetPassword: '/reset-password',
  verifyEmail: '/verify-email',
  flipbook: '/flipbook/:bookId',
} as const;

export function flipbookPath(bookId: string): string {
  return paths.flipbook.replace(':bookId', bookId);
}

/** Where a photo becomes a caricature. */
export function caricaturePath(memoryId: string): string {
  return `${paths.gallery}?${new URLSearchParams({ tab: 'caricatures', photo: memoryId })}`;
}

/** The history state of a book when the entry before it is the gallery that it was made in. */
export const CAME_FROM_GALLERY = { cameFrom: 'gallery' };
