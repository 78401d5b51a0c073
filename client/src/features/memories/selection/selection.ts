import { createContext, use, useSyncExternalStore } from 'react';
import { MAX_BULK_MEMORIES } from '#shared/album/memory';
import { idsBetween } from '../../../lib/ids-between.ts';

/** The selected memories of a list. A card renders again only when it is selected itself. */
export interface Selection {
  subscribe: (listener: () => void) => () => void;
  /** In selection mode a click selects a memory instead of opening it. */
  isActive: () => boolean;
  has: (id: string) => boolean;
  /** The first selected first. The same array until the selection changes. */
  ids: () => readonly string[];
  /** Enters selection mode. */
  start: () => void;
  toggle: (id: string) => void;
  /**
   * Gives all memories from the last toggled one to `id` the state of that one, in place of the range that began there before.
   * @param from the focused memory, for the keyboard: a new range begins with it if the last one did not end there
   */
  extendTo: (id: string, list: readonly string[], from?: string) => void;
  /** Deselects those that are not in the list. */
  retain: (list: readonly string[]) => void;
  /** Deselects all and leaves selection mode. */
  end: () => void;
}

/** Where a range begins, and what was selected without it. */
interface Range {
  anchor: string;
  isSelecting: boolean;
  end: string;
  others: ReadonlySet<string>;
}

/** Selects at most MAX_BULK_MEMORIES. @param onFull called when more were to be selected */
export function createSelection(onFull: () => void): Selection {
  const listeners = new Set<() => void>();
  let active = false;
  let selected: ReadonlySet<string> = new Set();
  let ids: readonly string[] = [];
  let range: Range | null = null;

  function change(next: ReadonlySet<string>, isActive = true): void {
    const isFull = next.size > MAX_BULK_MEMORIES;
    ids = [...next].slice(0, MAX_BULK_MEMORIES);
    selected = new Set(ids);
    active = isActive;
    for (const listener of listeners) listener();
    if (isFull) onFull();
  }

  function setAll(changed: Iterable<string>, isSelecting: boolean, before: ReadonlySet<string>): void {
    const next = new Set(before);
    for (const id of changed) {
      if (isSelecting) next.add(id);
      else next.delete(id);
    }
    change(next);
  }

  function begin(anchor: string, isSelecting: boolean): void {
    const others = selected;
    setAll([anchor], isSelecting, others);
    // After one that did not fit, a range from an earlier one would surprise.
    const fits = selected.has(anchor) === isSelecting;
    range = fits ? { anchor, isSelecting, end: anchor, others } : null;
  }

  return {
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    isActive: () => active,
    has: (id) => selected.has(id),
    ids: () => ids,
    start: () => change(selected),
    toggle: (id) => begin(id, !selected.has(id)),
    extendTo(id, list, from) {
      if (from !== undefined && range?.end !== from) begin(from, true);
      const start = range ? list.indexOf(range.anchor) : -1;
      if (!range || start < 0) return begin(id, true);
      if (range.end === id) return;
      range.end = id;
      setAll(idsBetween(list, start, list.indexOf(id)), range.isSelecting, range.others);
    },
    retain(list) {
      if (ids.length === 0) return;
      const listed = new Set(list);
      const kept = ids.filter((id) => listed.has(id));
      if (kept.length < ids.length) change(new Set(kept), active);
      if (range) range.others = new Set([...range.others].filter((id) => listed.has(id)));
    },
    end() {
      range = null;
      change(new Set(), false);
    },
  };
}

/** Provided by a list whose cards can be selected. */
export const SelectionContext = createContext<Selection | null>(null);

const NO_SELECTION = createSelection(() => {});

/** Null outside selection mode. */
export function useIsSelected(id: string): boolean | null {
  const selection = use(SelectionContext) ?? NO_SELECTION;
  const read = () => (selection.isActive() ? selection.has(id) : null);
  return useSyncExternalStore(selection.subscribe, read, read);
}

export function useIsSelecting(selection: Selection): boolean {
  return useSyncExternalStore(selection.subscribe, selection.isActive);
}

export function useSelectedIds(selection: Selection): readonly string[] {
  return useSyncExternalStore(selection.subscribe, selection.ids);
}
