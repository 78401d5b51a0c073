import { useRef, useState } from 'react';
import type { Memory } from '#shared/memory';
import { isLostSession } from '../../../lib/lost-session.ts';
import { showToast } from '../../../ui/toast-store.ts';
import { usePurgeMemory } from '../store/memory-mutations.ts';
import { passFocusOn } from './pass-focus-on.ts';

/** Asks before a memory goes for good. */
export function useDeletingForGood() {
  const [asked, setAsked] = useState<{ memory: Memory; isOpen: boolean } | null>(null);
  const button = useRef<HTMLElement>(null);
  const { mutateAsync: deleteForGood, isPending } = usePurgeMemory();
  const close = () => setAsked((now) => now && { ...now, isOpen: false });
  const confirm = (memory: Memory) => {
    const leaving = deleteForGood(memory).then(() => {
      close();
      showToast({ title: 'Memory deleted for good' });
    }, showFailure);
    if (button.current) passFocusOn(button.current, leaving, button);
  };
  return {
    ask: (memory: Memory, pressed: HTMLElement) => {
      button.current = pressed;
      setAsked({ memory, isOpen: true });
    },
    question: asked && {
      isOpen: asked.isOpen,
      isPending,
      onConfirm: () => confirm(asked.memory),
      onCancel: close,
      returnFocusTo: button,
    },
  };
}

/** A lost session has its own notice. */
function showFailure(error: unknown): void {
  if (isLostSession(error)) return;
  showToast({
    title: 'Failed to delete memory',
    description: 'It is still in Recently deleted. Please try again.',
    variant: 'destructive',
  });
}
