import { flushSync } from 'react-dom';
import { prefersReducedMotion } from '../../../lib/reduced-motion.ts';
import { holdKeys } from './held-keys.ts';

/** app/theme.css has its motion. */
const NAME = 'memory-photo';

let isPending = false;
let latest: ViewTransition | null = null;
let named: HTMLElement | null = null;

interface PhotoTransition {
  from: HTMLElement | null;
  /** Found after the update. */
  to: () => HTMLElement | null;
  /** Called with false where there is no transition: the dialog then has its own motion. */
  update: (hasViewTransition: boolean) => void;
}

/** Lets a photo grow from its card into the dialog, or back. The update comes with the next frame, or at once without motion. */
export function transitionPhoto({ from, to, update }: PhotoTransition): void {
  // The second press of a double click, before the first one is shown.
  if (isPending) return;
  if (!from || prefersReducedMotion() || !('startViewTransition' in document)) {
    update(false);
    return;
  }
  const repeatKeys = holdKeys();
  giveName(from);
  isPending = true;
  const transition = document.startViewTransition(() => {
    isPending = false;
    giveName(null);
    flushSync(() => update(true));
    giveName(to());
    repeatKeys();
  });
  latest = transition;
  // Rejected when it is skipped, as in a hidden tab or by the next transition.
  transition.ready.catch(() => undefined);
  const end = () => {
    if (latest === transition) giveName(null);
  };
  transition.finished.then(end, end);
}

/** A name must be unique: a transition may begin before the last one has ended. */
function giveName(element: HTMLElement | null): void {
  if (named) named.style.viewTransitionName = '';
  named = element;
  if (element) element.style.viewTransitionName = NAME;
}

const OPEN_PHOTO = 'data-open-photo';
export const openPhotoProps = { [OPEN_PHOTO]: '' };

export function findOpenPhoto(): HTMLElement | null {
  return document.querySelector(`[${OPEN_PHOTO}] img`)?.parentElement ?? null;
}

/** The photo of a list's card, if it is in view. */
export function findCardPhoto(list: Element | null, imageUrl: string): HTMLElement | null {
  const photo = list?.querySelector(`button img[src^="${imageUrl}"]`)?.parentElement;
  return photo && isInView(photo) ? photo : null;
}

/** Also of what scrolls around it. */
function isInView(element: HTMLElement): boolean {
  const { top, bottom } = element.getBoundingClientRect();
  let [start, end] = [Math.max(0, top), Math.min(window.innerHeight, bottom)];
  for (let parent = element.parentElement; parent; parent = parent.parentElement) {
    if (getComputedStyle(parent).overflowY !== 'auto') continue;
    const around = parent.getBoundingClientRect();
    start = Math.max(start, around.top);
    end = Math.min(end, around.bottom);
  }
  return end > start;
}
