import { useLayoutEffect, useRef, type FocusEvent, type RefObject } from 'react';
import type { HeldMessage } from '#shared/inbound-email';
import { heldMessageRowId } from './held-message-row.tsx';

/**
 * Keeps the focus here when the row that has it goes, whoever decided on it: it passes to the row that takes its place,
 * else to the one before it, else to what comes afterwards.
 */
export function useRowFocus(shown: HeldMessage[], afterwards: RefObject<HTMLElement | null>) {
  const focused = useRef<{ id: string; place: number } | null>(null);

  const rowInPlace = (place: number): HTMLElement | null => {
    const message = shown[place] ?? shown.at(-1);
    return message ? rowOf(message) : afterwards.current;
  };

  useLayoutEffect(() => {
    const { current } = focused;
    if (!current) return;
    const place = shown.findIndex(({ id }) => id === current.id);
    if (place !== -1) current.place = place;
    else if (document.activeElement === document.body) rowInPlace(current.place)?.focus();
  });

  const onFocus = ({ target }: FocusEvent) => {
    const place = shown.findIndex((message) => rowOf(message)?.contains(target));
    focused.current = place === -1 ? null : { id: shown[place]!.id, place };
  };
  // Only where someone leaves: React tells of none while it changes the page.
  const onBlur = () => {
    focused.current = null;
  };

  return { rowInPlace, listProps: { onFocus, onBlur } };
}

export function rowOf({ id }: HeldMessage): HTMLElement | null {
  return document.getElementById(heldMessageRowId({ id }));
}
