import type { Caricature } from '#shared/album/caricature';

export interface Celebration {
  /** As it was when the dialog opened; the list may have a newer version. */
  caricature: Caricature;
  isOpen: boolean;
  /** True for a new caricature, with confetti; false when an old one is viewed again. */
  isNew: boolean;
}

export type CelebrationEvent =
  | { type: 'celebrated' | 'viewed'; caricature: Caricature }
  | { type: 'closed' }
  /** The list was loaded. `completed`: tracked caricatures that have just completed. */
  | { type: 'loaded'; caricatures: Caricature[]; completed: Caricature[]; isBlocked: boolean };

export function celebrationReducer(state: Celebration | null, event: CelebrationEvent): Celebration | null {
  switch (event.type) {
    case 'celebrated':
    case 'viewed':
      return { caricature: event.caricature, isOpen: true, isNew: event.type === 'celebrated' };
    case 'closed':
      // The caricature stays for the closing animation.
      return state && { ...state, isOpen: false };
    case 'loaded': {
      if (!state?.isOpen) {
        const [next] = event.completed;
        return next && !event.isBlocked ? { caricature: next, isOpen: true, isNew: true } : state;
      }
      const current = event.caricatures.find(({ id }) => id === state.caricature.id);
      const isGone = !current || current.status === 'failed';
      return isGone ? { ...state, isOpen: false } : state;
    }
  }
}
