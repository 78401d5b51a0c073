import { useRef, useState } from 'react';
import type { Caricature } from '#shared/caricature';
import { showFailure } from '../../../ui/show-failure.ts';
import { showToast } from '../../../ui/toast-store.ts';
import { useDeleteCaricature } from '../caricature-api.ts';
import { caricatureCardId } from './caricature-card.tsx';

/** Asks before a caricature goes; its neighbor takes the focus over. */
export function useDeleting(caricatures: Caricature[], heading: { current: HTMLElement | null }) {
  const [asked, setAsked] = useState<{ caricature: Caricature; isOpen: boolean } | null>(null);
  const returnFocusTo = useRef<HTMLElement>(null);
  const { mutateAsync: deleteCaricature, isPending } = useDeleteCaricature();
  const close = () => setAsked((now) => now && { ...now, isOpen: false });

  const confirm = async (caricature: Caricature) => {
    const index = caricatures.findIndex(({ id }) => id === caricature.id);
    const neighbor = caricatures[index + 1] ?? caricatures[index - 1];
    try {
      await deleteCaricature(caricature.id);
    } catch (error) {
      showFailure(error, 'Failed to delete the caricature', 'Please try again.');
      return;
    }
    const card = neighbor && document.getElementById(caricatureCardId(neighbor));
    returnFocusTo.current = card ?? heading.current;
    close();
    showToast({ title: 'Caricature deleted' });
  };

  return {
    ask: (caricature: Caricature, button: HTMLElement) => {
      returnFocusTo.current = button;
      setAsked({ caricature, isOpen: true });
    },
    isAsking: asked?.isOpen ?? false,
    question: asked && {
      isOpen: asked.isOpen,
      title: 'Are you sure you want to delete this caricature?',
      description:
        'This can’t be undone, and its public link will stop working. The original photo and any memory made from the caricature stay.',
      confirmText: 'Delete',
      pendingText: 'Deleting...',
      isPending,
      onConfirm: () => void confirm(asked.caricature),
      onCancel: close,
      returnFocusTo,
    },
  };
}
