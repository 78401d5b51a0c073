export function prefersReducedMotion(): boolean {
  // jsdom has no `matchMedia`, and no animations.
  return window.matchMedia?.('(prefers-reduced-motion: reduce)').matches ?? true;
}
