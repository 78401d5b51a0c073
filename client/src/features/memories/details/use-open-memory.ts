import { useRef, useState } from 'react';
import type { Memory } from '#shared/memory';
import { discardDraft, hasDraft, withDraft, writeDraft } from '../../../lib/form-drafts.ts';
import { showDraftKept } from '../../../ui/draft-notices.tsx';
import { returnFocusTo } from '../../../ui/focus.ts';
import { useKeepMemory, useKeptMemory } from './kept-memory-api.ts';
import { changesIn, editOf, wordsOf, type MemoryEdit } from './memory-changes.ts';
import type { MemoryWords } from '../form/memory-form.ts';
import { neighborsOf, type WalkedList } from './memory-walk.ts';
import { useAwaitedStep } from './use-awaited-step.ts';
import { useFetchAhead } from './use-fetch-ahead.ts';
import { findStandIn, listAround, placeOf } from './memory-stand-in.ts';
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

/** Which memory of a list lies open in the dialog, what can be done with it there, and the way to its neighbors. */
export function useOpenMemory(list: WalkedList) {
  const [opened, setOpened] = useState<OpenMemory | null>(null);
  const openedFrom = useRef<HTMLElement>(null);
  const openedIn = useRef<HTMLElement>(null);
  const keepMemory = useKeepMemory();
  const memory = useKeptMemory(opened ?? none);
  const { toggleLike, save } = useMemoryActions();
  const deleteMemory = useMemoryTrash();
  const { share } = useSharing();
  const { place, previous, next } = neighborsOf(list, opened?.id ?? '', opened?.place ?? 0);
  // Remembered for when it leaves the list.
  if (opened && opened.place !== place) setOpened({ ...opened, place });
  useFetchAhead(opened?.isOpen ? [previous, next].map((at) => at !== null && list.at(at)) : []);

  const open = (memory: Memory, opener: HTMLElement, edit: MemoryEdit | null) => {
    openedFrom.current = opener;
    openedIn.current = listAround(opener);
    keepMemory(memory);
    setOpened({ ...justOpened, id: memory.id, edit, place: placeOf(opener) - 1 });
  };
  const close = () => {
    leaveEdit();
    const opener = openedFrom.current;
    // They walked on, or an edit has taken it out of what was searched for.
    if (!opener?.isConnected || placeOf(opener) !== place + 1)
      returnFocusTo(findStandIn(place + 1, openedIn.current));
    // Stays until its closing has been seen.
    setOpened((now) => now && { ...now, isOpen: false, awaited: null });
  };
  const awaitStep = (awaited: number | null) => setOpened((now) => now && { ...now, awaited });
  const stepTo = (place: number) => {
    const memory = list.at(place);
    if (memory) {
      leaveEdit();
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
    if (!memory || !opened?.edit) return;
    const edit = { ...opened.edit, words };
    const changes = changesIn(edit);
    endEdit();
    if (!changes) return;
    // A failure gives back what was written: to the form if the memory still lies open, else to the next one.
    save(memory, changes, () => {
      if (!hasDraft(draftKeyOf(memory))) writeDraft(draftKeyOf(memory), wordsOf(edit.before), words);
      setOpened((now) => resume(now, memory.id, edit));
    });
  };
  const endEdit = () => {
    if (memory) discardDraft(draftKeyOf(memory));
    setEdit(null);
  };
  const leaveEdit = () => {
    if (memory && opened?.edit && hasDraft(draftKeyOf(memory))) showDraftKept();
  };

  const deleteOpen = (memory: Memory) => {
    close();
    deleteMemory(memory);
  };

  return {
    openDetails: (memory: Memory, opener: HTMLElement) => open(memory, opener, null),
    openEditor: (memory: Memory, opener: HTMLElement) => open(memory, opener, editWithDraft(memory)),
    toggleLike,
    deleteMemory,
    share,
    dialog: memory &&
      opened && {
        memory,
        isOpen: opened.isOpen,
        edit: opened.edit,
        draftKey: draftKeyOf(memory),
        isWalkedTo: opened.isWalkedTo,
        isAwaiting: opened.awaited !== null,
        place,
        onEdit: () => setEdit(editWithDraft(memory)),
        onSave: saveWords,
        onCancelEdit: endEdit,
        onLike: () => toggleLike(memory),
        onShare: () => void share(memory),
        onDelete: () => deleteOpen(memory),
        onClose: close,
        onPrevious: previous === null ? null : () => stepTo(previous),
        onNext: next === null ? null : () => stepTo(next),
        previous: previous === null ? null : list.at(previous),
        next: next === null ? null : list.at(next),
      },
  };
}

/** Of what was typed about a memory and not saved. */
function draftKeyOf({ id }: Memory): string {
  return `memory:${id}`;
}

/** Goes on with what was typed before. */
function editWithDraft(memory: Memory): MemoryEdit {
  const edit = editOf(memory);
  return { ...edit, words: withDraft(draftKeyOf(memory), edit.words) };
}

/** Whoever has begun to write anew goes on, but what the failed edit changed is not saved yet. */
function resume(now: OpenMemory | null, id: string, failed: MemoryEdit): OpenMemory | null {
  if (!now?.isOpen || now.id !== id) return now;
  return { ...now, edit: { words: failed.words, ...now.edit, before: failed.before } };
}
