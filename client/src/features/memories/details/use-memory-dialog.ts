import { useEffect, useMemo, useState, type Dispatch, type SetStateAction } from 'react';
import type { Memory } from '#shared/album/memory';
import { useOnTrue } from '../../../lib/use-on-true.ts';
import { discardDraft, hasDraft, applyDraft, writeDraft, showDraftSaved } from '../../drafts/form-drafts.tsx';
import { positionInList, returnFocusToPosition } from '../../../ui/focus.ts';
import { toImageSources } from '../../../lib/image-sources.ts';
import { showError } from '../../../ui/toasts/show-error.ts';
import { getChanges, startEdit, toFormValues, type MemoryEdit } from '../fields/memory-edit.ts';
import type { MemoryFormValues } from '../fields/memory-form-values.ts';
import { useMemory, type LoadedMemory } from '../store/memory-store.ts';
import { findNeighbors, type Direction, type NavigableList } from './lightbox-navigation.ts';
import { useMoveToTrash } from '../trash/use-memory-trash.ts';
import { photoSizes } from './photo-frame.tsx';
import { findCardPhoto, findOpenPhoto, transitionPhoto } from './photo-transition.ts';
import { useMemoryUpdates } from '../store/memory-mutations.ts';
import { useShareLink } from '../../shares/use-share-link.ts';

interface OpenMemory {
  id: string;
  isOpen: boolean;
  /** Its photo grows from its card, or back. */
  hasViewTransition: boolean;
  /** The card's copy of the photo. */
  preview: string | null;
  /** With its card. */
  element: Element | null;
  edit: MemoryEdit | null;
  /** In the list; the last known one if the memory has left the list. */
  index: number;
  /** Which way it was reached from the memory before; null if it was opened itself. */
  direction: Direction | null;
  /** The memory to open once it is loaded. */
  pending: PendingNavigation | null;
}

interface PendingNavigation {
  index: number;
  /** Of the attempt before, which may be the list's error until React renders that it is loading again. */
  lastError: unknown;
}

type SetOpened = Dispatch<SetStateAction<OpenMemory | null>>;

export function useMemoryDialog(list: NavigableList) {
  const [opened, setOpened] = useState<OpenMemory | null>(null);
  const memory = toLoaded(useMemory(opened?.id ?? ''));
  const actions = useMemoryActions(setOpened);
  const { index, previous, next } = findNeighbors(list, opened?.id ?? '', opened?.index ?? 0);
  // Stored for when the memory leaves the list.
  if (opened && opened.index !== index) setOpened({ ...opened, index });
  const previousMemory = useNeighbor(list, previous);
  const nextMemory = useNeighbor(list, next);
  usePrefetchedPhotos(opened?.isOpen ? [previousMemory, nextMemory] : []);

  const update = (changes: Partial<OpenMemory>) => setOpened((now) => now && { ...now, ...changes });
  const { draftKey, leaveEdit, ...form } = useMemoryEdit(memory, opened?.edit ?? null, setOpened);
  const close = (hasViewTransition = false) => {
    leaveEdit();
    // Another memory than the opener's may be open, or an edit has removed it from the search results.
    returnFocusToPosition(index + 1);
    // `opened` stays set for the closing animation.
    update({ isOpen: false, hasViewTransition, pending: null });
  };
  const closeIntoCard = () => {
    const card = memory && findCardPhoto(opened?.element ?? null, memory.imageUrl);
    transitionPhoto({ from: card ? findOpenPhoto() : null, to: () => card ?? null, update: close });
  };
  const goTo = (index: number) => {
    const id = list.at(index);
    if (id !== undefined) {
      leaveEdit();
      const direction = index < (opened?.index ?? 0) ? 'previous' : 'next';
      update({ id, preview: null, edit: null, index, direction, pending: null });
    } else {
      update({ pending: { index, lastError: list.errorAt(index) } });
    }
    list.reveal(index);
  };
  usePendingNavigation(list, opened?.pending ?? null, {
    onLoaded: goTo,
    onFailed: () => update({ pending: null }),
  });
  const dialog = memory &&
    opened && {
      memory,
      isOpen: opened.isOpen,
      hasViewTransition: opened.hasViewTransition,
      preview: opened.preview,
      edit: opened.edit,
      draftKey,
      direction: opened.direction,
      isNavigating: opened.pending !== null,
      index,
      ...form,
      onLike: () => actions.toggleLike(memory),
      onShare: () => actions.share(memory),
      onDelete: () => {
        close();
        actions.remove(memory);
      },
      onClose: closeIntoCard,
      /** By a link to another page. */
      onLeave: () => close(),
      onPrevious: previous === null ? null : () => goTo(previous),
      onNext: next === null ? null : () => goTo(next),
      /** Null at the ends, undefined while loading. */
      previous: previousMemory,
      next: nextMemory,
    };
  return { actions, dialog };
}

export type MemoryActions = ReturnType<typeof useMemoryActions>;
export type MemoryDialogProps = NonNullable<ReturnType<typeof useMemoryDialog>['dialog']>;

/** Of the cards. The same object in each render, so that they do not render again. */
function useMemoryActions(setOpened: SetOpened) {
  const { toggleLike } = useMemoryUpdates();
  const share = useShareLink();
  const remove = useMoveToTrash();
  return useMemo(() => {
    const open = (memory: Memory, opener: HTMLElement, edit: MemoryEdit | null) => {
      const index = positionInList(opener) - 1;
      const element = opener.closest('[data-memory-list]');
      const { id, imageUrl } = memory;
      const photo = findCardPhoto(element, imageUrl);
      const image = photo?.querySelector('img');
      // The photo grows without becoming blurred until its larger copy is loaded.
      const preview = image?.complete && image.naturalWidth > 0 ? image.currentSrc : null;
      transitionPhoto({
        from: photo,
        to: findOpenPhoto,
        update: (hasViewTransition) =>
          setOpened({
            id,
            isOpen: true,
            hasViewTransition,
            preview,
            element,
            edit,
            index,
            direction: null,
            pending: null,
          }),
      });
    };
    return {
      /** @param opener gets the focus back */
      open: (memory: Memory, opener: HTMLElement) => open(memory, opener, null),
      edit: (memory: Memory, opener: HTMLElement) => open(memory, opener, editWithDraft(memory)),
      toggleLike,
      remove,
      share,
    };
  }, [setOpened, toggleLike, remove, share]);
}

/** The form in the dialog, and its draft. */
function useMemoryEdit(memory: Memory | undefined, opened: MemoryEdit | null, setOpened: SetOpened) {
  const { save } = useMemoryUpdates();
  const draftKey = memory ? toDraftKey(memory) : '';
  const setEdit = (edit: MemoryEdit | null) => setOpened((now) => now && { ...now, edit });
  const endEdit = () => {
    discardDraft(draftKey);
    setEdit(null);
  };
  return {
    draftKey,
    onEdit: () => memory && setEdit(editWithDraft(memory)),
    onSave: (values: MemoryFormValues) => {
      if (!memory || !opened) return;
      const edit = { ...opened, values };
      const changes = getChanges(edit);
      endEdit();
      if (!changes) return;
      // If saving fails, the values become a draft, and go back to the form if the memory is still open.
      save(memory, changes, () => {
        if (!hasDraft(draftKey)) writeDraft(draftKey, toFormValues(edit.before), values);
        setOpened((now) => restoreEdit(now, memory.id, edit));
      });
    },
    onCancelEdit: endEdit,
    leaveEdit: () => {
      if (opened && hasDraft(draftKey)) showDraftSaved();
    },
  };
}

function toDraftKey({ id }: Memory): string {
  return `memory:${id}`;
}

function editWithDraft(memory: Memory): MemoryEdit {
  const edit = startEdit(memory);
  return { ...edit, values: applyDraft(toDraftKey(memory), edit.values) };
}

/**
 * Reopens the form with the values that failed to save. If the user has reopened it since, keeps the newer values and
 * takes only the failed edit's `before`.
 */
function restoreEdit(now: OpenMemory | null, id: string, failed: MemoryEdit): OpenMemory | null {
  if (!now?.isOpen || now.id !== id) return now;
  return { ...now, edit: { values: failed.values, ...now.edit, before: failed.before } };
}

function toLoaded(memory: LoadedMemory): Memory | undefined {
  return memory !== null && memory !== 'loading' && 'id' in memory ? memory : undefined;
}

/** @returns null at the ends, undefined while loading */
function useNeighbor(list: NavigableList, index: number | null): Memory | null | undefined {
  const memory = toLoaded(useMemory(index === null ? '' : (list.at(index) ?? '')));
  return index === null ? null : memory;
}

/** Fetches the photos that are likely to be opened next, at the width they will have. */
function usePrefetchedPhotos(memories: (Memory | null | undefined)[]): void {
  const photos = JSON.stringify(
    memories.flatMap((memory) => (memory ? [[memory.imageUrl, photoSizes(memory)]] : [])),
  );
  useEffect(() => {
    for (const [imageUrl, sizes] of JSON.parse(photos) as [string, string][]) {
      const image = new Image();
      image.fetchPriority = 'low';
      image.sizes = sizes;
      image.srcset = toImageSources(imageUrl).srcSet;
    }
  }, [photos]);
}

/** Navigates to an index once it is loaded, or shows an error if it fails to load. */
function usePendingNavigation(
  list: NavigableList,
  pending: PendingNavigation | null,
  { onLoaded, onFailed }: { onLoaded: (index: number) => void; onFailed: () => void },
): void {
  const isLoaded = pending !== null && list.at(pending.index) !== undefined;
  useOnTrue(isLoaded, () => pending && onLoaded(pending.index));
  // A failure may be rendered without the loading before it: the new error tells them apart.
  const error = pending && list.errorAt(pending.index);
  useOnTrue(error !== null && error !== pending?.lastError, () => {
    onFailed();
    showError(error, 'Failed to load memories', 'Please check your connection and try again.', {
      showsServerMessage: false,
    });
  });
}
