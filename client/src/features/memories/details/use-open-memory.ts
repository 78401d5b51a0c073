import { useRef, useState } from 'react';
import type { Memory } from '#shared/memory';
import { useKeepMemory, useKeptMemory } from './kept-memory-api.ts';
import { changesIn, editOf, type MemoryEdit } from './memory-changes.ts';
import type { MemoryWords } from '../form/memory-form.ts';
import { findStandIn, placeOf } from './memory-stand-in.ts';
import { useMemoryTrash } from '../trash/use-memory-trash.ts';
import { useMemoryActions } from './use-memory-actions.ts';

interface OpenMemory {
  id: string;
  isOpen: boolean;
  edit: MemoryEdit | null;
  /** Where it stood in its list. */
  place: number;
}

const none = { id: '', isOpen: false };

/** Which memory lies open in the dialog, and what can be done with it there. */
export function useOpenMemory() {
  const [opened, setOpened] = useState<OpenMemory | null>(null);
  const openedFrom = useRef<HTMLElement>(null);
  const keepMemory = useKeepMemory();
  const memory = useKeptMemory(opened ?? none);
  const { toggleLike, save } = useMemoryActions();
  const deleteMemory = useMemoryTrash();

  const open = (memory: Memory, opener: HTMLElement, edit: MemoryEdit | null) => {
    openedFrom.current = opener;
    keepMemory(memory);
    setOpened({ id: memory.id, isOpen: true, edit, place: placeOf(opener) });
  };
  const close = ({ place }: OpenMemory) => {
    // An edit may have taken it out of what was searched for.
    if (!openedFrom.current?.isConnected) openedFrom.current = findStandIn(place);
    // Stays until its closing has been seen.
    setOpened((now) => now && { ...now, isOpen: false });
  };
  const setEdit = (edit: MemoryEdit | null) => setOpened((now) => now && { ...now, edit });
  const saveWords = (words: MemoryWords) => {
    const edit = opened?.edit && { ...opened.edit, words };
    const changes = edit && changesIn(edit);
    setEdit(null);
    // What was written is not lost with a failure, while its memory still lies open.
    if (memory && changes) save(memory, changes, () => setOpened((now) => resume(now, memory.id, edit)));
  };

  const deleteOpen = (memory: Memory, opened: OpenMemory) => {
    close(opened);
    if (openedFrom.current) deleteMemory(memory, openedFrom.current, openedFrom);
  };

  return {
    openDetails: (memory: Memory, opener: HTMLElement) => open(memory, opener, null),
    openEditor: (memory: Memory, opener: HTMLElement) => open(memory, opener, editOf(memory)),
    toggleLike,
    deleteMemory,
    dialog: memory &&
      opened && {
        memory,
        isOpen: opened.isOpen,
        edit: opened.edit,
        onEdit: () => setEdit(editOf(memory)),
        onSave: saveWords,
        onCancelEdit: () => setEdit(null),
        onLike: () => toggleLike(memory),
        onDelete: () => deleteOpen(memory, opened),
        onClose: () => close(opened),
        returnFocusTo: openedFrom,
      },
  };
}

/** Whoever has begun to write anew goes on, but what the failed edit changed is not saved yet. */
function resume(now: OpenMemory | null, id: string, failed: MemoryEdit): OpenMemory | null {
  if (!now?.isOpen || now.id !== id) return now;
  return { ...now, edit: { words: failed.words, ...now.edit, before: failed.before } };
}
