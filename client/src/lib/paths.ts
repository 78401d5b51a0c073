/** Every address of the app, so that none is spelled twice. */
export const paths = {
  home: '/',
  auth: '/auth',
  pets: '/pets',
  gallery: '/gallery',
  recentlyDeleted: '/gallery/deleted',
  timeline: '/timeline',
  contacts: '/contacts',
  flipbook: '/flipbook/:bookId',
} as const;

export function flipbookPath(bookId: string): string {
  return paths.flipbook.replace(':bookId', bookId);
}
