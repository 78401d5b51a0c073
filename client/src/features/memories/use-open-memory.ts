import { useRef, useState } from 'react';
import type { Memory } from '#shared/memory';
import { changesIn, editOf, type MemoryEdit } from './memory-changes.ts';
import type { MemoryWords } from './memory-form.ts';
import { useMemoryActions } from './use-memory-actions.ts';

interface OpenMemory {
  id: string;
  isOpen: boolean;
  edit: MemoryEdit | null;
}

/** Which of the memories lies open in the dialog, and what can be done with it there. */
export function useOpenMemory(memories: Memory[]) {
  const [opened, setOpened] = useState<OpenMemory | null>(null);
  const openedFrom = useRef<HTMLElement>(null);
  const { toggleLike, save } = useMemoryActions();
  const memory = opened ? memories.find(({ id }) => id === opened.id) : undefined;

  const open = (memory: Memory, opener: HTMLElement, edit: MemoryEdit | null) => {
    openedFrom.current = opener;
    setOpened({ id: memory.id, isOpen: true, edit });
  };
  const setEdit = (edit: MemoryEdit | null) => setOpened((now) => now && { ...now, edit });
  const saveWords = (words: MemoryWords) => {
    const edit = opened?.edit && { ...opened.edit, words };
    const changes = edit && changesIn(edit);
    setEdit(null);
    // What was written is not lost with a failure, while its memory still lies open.
    if (memory && changes) save(memory, changes, () => setOpened((now) => resume(now, memory.id, edit)));
  };

  return {
    openDetails: (memory: Memory, opener: HTMLElement) => open(memory, opener, null),
    openEditor: (memory: Memory, opener: HTMLElement) => open(memory, opener, editOf(memory)),
    toggleLike,
    dialog: memory &&
      opened && {
        memory,
        isOpen: opened.isOpen,
        edit: opened.edit,
        onEdit: () => setEdit(editOf(memory)),
        onSave: saveWords,
        onCancelEdit: () => setEdit(null),
        onLike: () => toggleLike(memory),
        // Stays until its closing has been seen.
        onClose: () => setOpened({ ...opened, isOpen: false }),
        returnFocusTo: openedFrom,
      },
  };
}

/** Whoever has begun to write anew goes on, but what the failed edit changed is not saved yet. */
function resume(now: OpenMemory | null, id: string, failed: MemoryEdit): OpenMemory | null {
  if (!now?.isOpen || now.id !== id) return now;
  return { ...now, edit: { words: failed.words, ...now.edit, before: failed.before } };
}
