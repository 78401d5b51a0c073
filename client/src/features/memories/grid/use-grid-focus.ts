import type { Range } from '@tanstack/react-virtual';
import { useCallback, useLayoutEffect, useRef, useState, type FocusEvent, type KeyboardEvent } from 'react';
import { flushSync } from 'react-dom';
import { extractRange } from '../../../lib/virtual-list.ts';
import { positionInList } from '../../../ui/focus.ts';
import type { Selection } from '../selection/selection.ts';
import { indexAfterKey } from './grid-layout.ts';

/** Arrow keys move the focus between tiles. The focused tile stays mounted, and focused when the list changes. */
export function useGridFocus(
  ids: string[],
  columns: number,
  extraBelow: number,
  /** With Shift, the arrow keys select as well. */
  selection: Selection | null,
) {
  const list = useRef<HTMLDivElement>(null);
  const [mountedId, setMountedId] = useState<string | null>(null);
  const focused = useRef<{ id: string; button: number } | null>(null);

  const tileAt = (index: number) =>
    list.current?.querySelector<HTMLElement>(`[aria-posinset="${index + 1}"]`) ?? null;

  const reveal = (index: number): HTMLElement | null => {
    flushSync(() => setMountedId(ids[index] ?? null));
    const tile = tileAt(index);
    tile?.scrollIntoView({ block: 'nearest' });
    return tile;
  };

  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const tile = closestTile(event);
    if (
      !tile ||
      event.defaultPrevented ||
      event.altKey ||
      event.ctrlKey ||
      event.metaKey ||
      (event.shiftKey && !selection)
    )
      return;
    const before = positionInList(tile) - 1;
    const index = indexAfterKey(event.key, before, columns, ids.length);
    if (index === null) return;
    event.preventDefault();
    if (event.shiftKey && selection) selection.extendTo(ids[index]!, ids, ids[before]);
    // While selecting, the other buttons are hidden.
    const button = selection?.isActive() ? 0 : getButtons(tile).indexOf(event.target as HTMLElement);
    focusButton(reveal(index), button);
  };

  const onFocus = (event: FocusEvent<HTMLElement>) => {
    const tile = closestTile(event);
    const id = tile && ids[positionInList(tile) - 1];
    if (!id) return;
    focused.current = { id, button: getButtons(tile).indexOf(event.target) };
    setMountedId(id);
  };

  // React does not call it for elements that it removes.
  const onBlur = () => {
    focused.current = null;
  };

  useLayoutEffect(() => {
    if (!focused.current || document.activeElement !== document.body) return;
    const { id, button } = focused.current;
    focusButton(tileAt(ids.indexOf(id)), button);
  });

  const mountedIndex = mountedId === null ? -1 : ids.indexOf(mountedId);
  const mountedRow = Math.floor(mountedIndex / columns);
  const rangeExtractor = useCallback(
    (range: Range) => extractRange(range, mountedRow, extraBelow),
    [mountedRow, extraBelow],
  );
  return { rangeExtractor, reveal, listProps: { ref: list, onKeyDown, onFocus, onBlur } };
}

/** Null for a tile's menu, which is in a portal and handles arrow keys. */
function closestTile({ target, currentTarget }: { target: EventTarget; currentTarget: HTMLElement }) {
  if (!(target instanceof HTMLElement) || !currentTarget.contains(target)) return null;
  return target.closest<HTMLElement>('[aria-posinset]');
}

function getButtons(tile: HTMLElement): HTMLElement[] {
  return [...tile.querySelectorAll<HTMLElement>('button')];
}

function focusButton(tile: HTMLElement | null, index: number): void {
  if (!tile) return;
  const buttons = getButtons(tile);
  (buttons[index] ?? buttons[0])?.focus({ preventScroll: true });
}
