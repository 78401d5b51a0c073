import { useState } from 'react';
import type { Caricature } from '#shared/caricature';

export interface Celebration {
  caricature: Caricature;
  isOpen: boolean;
  /** It is new; otherwise it is only looked at once more. */
  isParty: boolean;
}

/** Which caricature lies open in the celebration dialog. */
export function useCelebration() {
  const [shown, setShown] = useState<Celebration | null>(null);
  return {
    shown,
    celebrate: (caricature: Caricature) => setShown({ caricature, isOpen: true, isParty: true }),
    /** Somebody looks at it once more. */
    view: (caricature: Caricature) => setShown({ caricature, isOpen: true, isParty: false }),
    /** What it shows stays until its closing has been seen. */
    close: () => setShown((now) => now && { ...now, isOpen: false }),
  };
}
