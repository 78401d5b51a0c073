import { useRef, useState } from 'react';
import type { Memory } from '#shared/memory';
import { useKeepMemory, useKeptMemory } from './kept-memory-api.ts';
import { changesIn, editOf, type MemoryEdit } from './memory-changes.ts';
import type { MemoryWords } from '../form/memory-form.ts';
import { neighboursOf, type WalkedList } from './memory-walk.ts';
import { useAwaitedStep } from './use-awaited-step.ts';
import { useFetchAhead } from './use-fetch-ahead.ts';
import { findStandIn, placeOf } from './memory-stand-in.ts';
import { useMemoryTrash } from '../trash/use-memory-trash.ts';
import { useMemoryActions } from './use-memory-actions.ts';
import { useSharing } from './use-sharing.ts';

interface OpenMemory {
  id: string;
  isOpen: boolean;
  edit: MemoryEdit | null;
  /** Where it stands in its list, or stood when it was last there. Counts from 0. */
  place: number;
  /** It was come to from another one in the dialog. */
  isWalkedTo: boolean;
  /** The place of the one that someone wants to go on to, while it is not loaded. */
  awaited: number | null;
}

const none = { id: '', isOpen: false };
const justOpened = { isOpen: true, isWalkedTo: false, awaited: null };

/** Which memory of a list lies open in the dialog, what can be done with it there, and the way to its neighbours. */
export function useOpenMemory(list: WalkedList) {
  const [opened, setOpened] = useState<OpenMemory | null>(null);
  const openedFrom = useRef<HTMLElement>(null);
  const keepMemory = useKeepMemory();
  const memory = useKeptMemory(opened ?? none);
  const { toggleLike, save } = useMemoryActions();
  const deleteMemory = useMemoryTrash();
  const { share, isSharing } = useSharing();
  const { place, previous, next } = neighboursOf(list, opened?.id ?? '', opened?.place ?? 0);
  // Remembered for when it leaves the list.
  if (opened && opened.place !== place) setOpened({ ...opened, place });
  useFetchAhead(opened?.isOpen ? [previous, next].map((at) => at !== null && list.at(at)) : []);

  const open = (memory: Memory, opener: HTMLElement, edit: MemoryEdit | null) => {
    openedFrom.current = opener;
    keepMemory(memory);
    setOpened({ ...justOpened, id: memory.id, edit, place: placeOf(opener) - 1 });
  };
  const close = () => {
    const opener = openedFrom.current;
    // They walked on, or an edit has taken it out of what was searched for.
    if (!opener?.isConnected || placeOf(opener) !== place + 1) openedFrom.current = findStandIn(place + 1);
    // Stays until its closing has been seen.
    setOpened((now) => now && { ...now, isOpen: false, awaited: null });
  };
  const awaitStep = (awaited: number | null) => setOpened((now) => now && { ...now, awaited });
  const stepTo = (place: number) => {
    const memory = list.at(place);
    if (memory) {
      keepMemory(memory);
      setOpened({ id: memory.id, isOpen: true, edit: null, place, isWalkedTo: true, awaited: null });
    } else {
      awaitStep(place);
    }
    list.reveal(place);
  };
  useAwaitedStep(list, opened?.awaited ?? null, { onArrive: stepTo, onFailed: () => awaitStep(null) });
  const setEdit = (edit: MemoryEdit | null) => setOpened((now) => now && { ...now, edit });
  const saveWords = (words: MemoryWords) => {
    const edit = opened?.edit && { ...opened.edit, words };
    const changes = edit && changesIn(edit);
    setEdit(null);
    // What was written is not lost with a failure, while its memory still lies open.
    if (memory && changes) save(memory, changes, () => setOpened((now) => resume(now, memory.id, edit)));
  };

  const deleteOpen = (memory: Memory) => {
    close();
    if (openedFrom.current) deleteMemory(memory, openedFrom.current, openedFrom);
  };

  return {
    openDetails: (memory: Memory, opener: HTMLElement) => open(memory, opener, null),
    openEditor: (memory: Memory, opener: HTMLElement) => open(memory, opener, editOf(memory)),
    toggleLike,
    deleteMemory,
    share,
    dialog: memory &&
      opened && {
        memory,
        isOpen: opened.isOpen,
        edit: opened.edit,
        isWalkedTo: opened.isWalkedTo,
        onEdit: () => setEdit(editOf(memory)),
        onSave: saveWords,
        onCancelEdit: () => setEdit(null),
        onLike: () => toggleLike(memory),
        onShare: () => void share(memory),
        isSharing,
        onDelete: () => deleteOpen(memory),
        onClose: close,
        onPrevious: previous === null ? null : () => stepTo(previous),
        onNext: next === null ? null : () => stepTo(next),
        returnFocusTo: openedFrom,
      },
  };
}

/** Whoever has begun to write anew goes on, but what the failed edit changed is not saved yet. */
function resume(now: OpenMemory | null, id: string, failed: MemoryEdit): OpenMemory | null {
  if (!now?.isOpen || now.id !== id) return now;
  return { ...now, edit: { words: failed.words, ...now.edit, before: failed.before } };
}
