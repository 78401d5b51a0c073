import { defaultRangeExtractor, type Range } from '@tanstack/react-virtual';
import { useLayoutEffect, useRef, useState, type FocusEvent, type KeyboardEvent } from 'react';
import { flushSync } from 'react-dom';
import { hasModifier } from '../../../lib/keys.ts';
import { positionInList } from '../../../ui/focus.ts';
import { placeAfter } from './grid-layout.ts';

/**
 * Arrow keys lead from tile to tile, from each button to the same of the next. The tile that has the focus, or is about
 * to, stays in the page however far someone scrolls, and keeps it when the list around it changes.
 */
export function useGridFocus(ids: string[], columns: number) {
  const list = useRef<HTMLDivElement>(null);
  const [heldId, setHeldId] = useState<string | null>(null);
  const focused = useRef<{ id: string; button: number } | null>(null);
  const heldPlace = heldId === null ? -1 : ids.indexOf(heldId);

  const tileAt = (place: number) =>
    list.current?.querySelector<HTMLElement>(`[aria-posinset="${place + 1}"]`) ?? null;

  /** Brings a tile into the page and into sight. */
  const reveal = (place: number): HTMLElement | null => {
    flushSync(() => setHeldId(ids[place] ?? null));
    const tile = tileAt(place);
    tile?.scrollIntoView({ block: 'nearest' });
    return tile;
  };

  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const tile = tileAround(event);
    if (!tile || event.defaultPrevented || hasModifier(event)) return;
    const place = placeAfter(event.key, positionInList(tile) - 1, columns, ids.length);
    if (place === null) return;
    event.preventDefault();
    const button = buttonsOf(tile).indexOf(event.target as HTMLElement);
    focusButton(reveal(place), button);
  };

  const onFocus = (event: FocusEvent<HTMLElement>) => {
    const tile = tileAround(event);
    const id = tile && ids[positionInList(tile) - 1];
    if (!id) return;
    focused.current = { id, button: buttonsOf(tile).indexOf(event.target) };
    setHeldId(id);
  };

  // Only where someone leaves: React tells of none while it changes the page.
  const onBlur = () => {
    focused.current = null;
  };

  useLayoutEffect(() => {
    if (!focused.current || document.activeElement !== document.body) return;
    const { id, button } = focused.current;
    focusButton(tileAt(ids.indexOf(id)), button);
  });

  const rowsToShow = (range: Range) => {
    const rows = defaultRangeExtractor(range);
    const heldRow = Math.floor(heldPlace / columns);
    return heldPlace < 0 || rows.includes(heldRow) ? rows : [...rows, heldRow].sort((a, b) => a - b);
  };

  return { rowsToShow, reveal, listProps: { ref: list, onKeyDown, onFocus, onBlur } };
}

/** A menu of a tile is shown elsewhere in the page, and has arrow keys of its own. */
function tileAround({ target, currentTarget }: { target: EventTarget; currentTarget: HTMLElement }) {
  if (!(target instanceof HTMLElement) || !currentTarget.contains(target)) return null;
  return target.closest<HTMLElement>('[aria-posinset]');
}

function buttonsOf(tile: HTMLElement): HTMLElement[] {
  return [...tile.querySelectorAll<HTMLElement>('button')];
}

function focusButton(tile: HTMLElement | null, index: number): void {
  if (!tile) return;
  const buttons = buttonsOf(tile);
  (buttons[index] ?? buttons[0])?.focus({ preventScroll: true });
}
