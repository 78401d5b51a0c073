/** The main pointer is a finger: nothing appears on hover. */
export function isTouch(): boolean {
  return typeof window !== 'undefined' && (window.matchMedia?.('(hover: none)').matches ?? false);
}
