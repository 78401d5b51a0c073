import { useEffect, useEffectEvent } from 'react';

interface BookKeys {
  onTurn?: (by: 1 | -1) => void;
  onFirst?: () => void;
  onLast?: () => void;
  onClose: () => void;
}

/** The keys that leaf through a book, wherever in it the focus is. */
export function useBookKeys({ onTurn, onFirst, onLast, onClose }: BookKeys): void {
  const press = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey) return;
    const turn = (by: 1 | -1) => onTurn && (() => onTurn(by));
    const act = {
      ArrowRight: turn(1),
      ArrowLeft: turn(-1),
      PageDown: turn(1),
      PageUp: turn(-1),
      Home: onFirst,
      End: onLast,
      Escape: onClose,
    }[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  });
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => press(event);
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, []);
}
