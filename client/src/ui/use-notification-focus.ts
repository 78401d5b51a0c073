import { useEffect, useRef } from 'react';
import { notificationRegion } from './notification-region.ts';

/**
 * While the focus is among the notices, Escape takes the notice away and nothing else, not the dialog below it; and
 * with the notice the focus goes back to where it came from. @returns what takes it away so
 */
export function useNotificationFocus(dismiss: () => void): () => void {
  const cameFrom = useRef<HTMLElement>(null);
  const leave = () => {
    if (hasFocus()) cameFrom.current?.focus();
    // It came from nowhere, or from what has gone: left here, it would hold every notice to come.
    if (hasFocus() && document.activeElement instanceof HTMLElement) document.activeElement.blur();
    dismiss();
  };

  useEffect(() => {
    const region = notificationRegion();
    const remember = ({ relatedTarget }: FocusEvent) => {
      if (relatedTarget instanceof HTMLElement && !region?.contains(relatedTarget))
        cameFrom.current = relatedTarget;
    };
    region?.addEventListener('focusin', remember);
    return () => region?.removeEventListener('focusin', remember);
  }, []);

  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || !hasFocus()) return;
      event.stopPropagation();
      leave();
    };
    // The window's turn is before the document's, where a dialog listens.
    window.addEventListener('keydown', onKeyDown, { capture: true });
    return () => window.removeEventListener('keydown', onKeyDown, { capture: true });
  });

  return leave;
}

function hasFocus(): boolean {
  return notificationRegion()?.contains(document.activeElement) ?? false;
}
