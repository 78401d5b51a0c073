import { useRef, useState } from 'react';
import type { Memory } from '#shared/memory';
import { changesIn, wordsOf, type MemoryWords } from './memory-changes.ts';
import { useMemoryActions } from './use-memory-actions.ts';

interface OpenMemory {
  id: string;
  isOpen: boolean;
  editing: MemoryWords | null;
}

/** Which of the memories lies open in the dialog, and what can be done with it there. */
export function useOpenMemory(memories: Memory[]) {
  const [opened, setOpened] = useState<OpenMemory | null>(null);
  const openedFrom = useRef<HTMLElement>(null);
  const { toggleLike, save } = useMemoryActions();
  const memory = opened ? memories.find(({ id }) => id === opened.id) : undefined;

  const open = (memory: Memory, opener: HTMLElement, editing: MemoryWords | null) => {
    openedFrom.current = opener;
    setOpened({ id: memory.id, isOpen: true, editing });
  };
  const setEditing = (editing: MemoryWords | null) => setOpened((now) => now && { ...now, editing });
  const saveWords = (words: MemoryWords) => {
    setEditing(null);
    const changes = memory && changesIn(memory, words);
    // What was written is not lost with a failure, while its memory still lies open.
    if (changes) save(memory, changes, () => setOpened((now) => keepWords(now, memory.id, words)));
  };

  return {
    openDetails: (memory: Memory, opener: HTMLElement) => open(memory, opener, null),
    openEditor: (memory: Memory, opener: HTMLElement) => open(memory, opener, wordsOf(memory)),
    toggleLike,
    dialog: memory &&
      opened && {
        memory,
        isOpen: opened.isOpen,
        editing: opened.editing,
        onEdit: () => setEditing(wordsOf(memory)),
        onSave: saveWords,
        onCancelEdit: () => setEditing(null),
        onLike: () => toggleLike(memory),
        // Stays until its closing has been seen.
        onClose: () => setOpened({ ...opened, isOpen: false }),
        returnFocusTo: openedFrom,
      },
  };
}

function keepWords(now: OpenMemory | null, id: string, words: MemoryWords): OpenMemory | null {
  return now?.isOpen && now.id === id ? { ...now, editing: words } : now;
}
