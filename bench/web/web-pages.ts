/** A page of the app, and how to tell that its first photos are there. */
export type WebPage = {
  name: string;
  path: string;
  isPublic: boolean;
  /** The element under the mouse while scrolling. */
  scrolled?: string;
};

/** In the order of the table. */
export const WEB_PAGES: WebPage[] = [
  { name: 'landing', path: '/', isPublic: true },
  { name: 'sign in', path: '/auth', isPublic: true },
  { name: 'home', path: '/', isPublic: false, scrolled: '[role=group] [role=list]' },
  { name: 'gallery, grid', path: '/gallery', isPublic: false, scrolled: '[role=list]' },
  { name: 'gallery, list', path: '/gallery?view=list', isPublic: false, scrolled: '[role=list]' },
  { name: 'timeline', path: '/timeline', isPublic: false, scrolled: '[data-memory-list]' },
];
