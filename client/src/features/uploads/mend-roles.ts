/**
 * Uppy gives some of its elements roles that they don't have: an item of no list, a label that is a tooltip. Mends
 * them as they appear. @returns what ends that
 */
export function mendRoles(target: HTMLElement): () => void {
  const mend = () => {
    for (const element of target.querySelectorAll('.uppy-Dashboard-Item[role], label[role=tooltip]'))
      element.removeAttribute('role');
  };
  const observer = new MutationObserver(mend);
  observer.observe(target, { childList: true, subtree: true });
  mend();
  return () => observer.disconnect();
}
