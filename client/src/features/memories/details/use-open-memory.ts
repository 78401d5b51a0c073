import { useEffect, useEffectEvent, useRef, useState } from 'react';
import type { Memory } from '#shared/memory';
import { discardDraft, hasDraft, withDraft, writeDraft } from '../../../lib/form-drafts.ts';
import { showDraftKept } from '../../../ui/draft-notices.tsx';
import { returnFocusTo } from '../../../ui/focus.ts';
import { variantsOf } from '../../../ui/photo.tsx';
import { showFailure } from '../../../ui/show-failure.ts';
import { showToast } from '../../../ui/toast-store.ts';
import { changesIn, editOf, wordsOf, type MemoryChanges, type MemoryEdit } from './memory-changes.ts';
import type { MemoryWords } from '../form/memory-form.ts';
import { useUpdateMemory } from '../store/memory-mutations.ts';
import { useMemory, type LoadedMemory } from '../store/memory-store.ts';
import { neighborsOf, type NavigableList } from './lightbox-navigation.ts';
import { findStandIn, listAround, placeOf } from './memory-stand-in.ts';
import { useMemoryTrash } from '../trash/use-memory-trash.ts';
import { photoSizes } from './photo-place.tsx';
import { useSharing } from './use-sharing.ts';

interface OpenMemory {
  id: string;
  isOpen: boolean;
  edit: MemoryEdit | null;
  /** Where it stands in its list, or stood when it was last there. Counts from 0. */
  place: number;
  /** It was opened from another one, in the dialog. */
  isNavigatedTo: boolean;
  /** The place of the one to open as soon as it is loaded. */
  pending: number | null;
}

const justOpened = { isOpen: true, isNavigatedTo: false, pending: null };

/** Which memory of a list lies open in the dialog, what can be done with it there, and the way to its neighbors. */
export function useOpenMemory(list: NavigableList) {
  const [opened, setOpened] = useState<OpenMemory | null>(null);
  const openedFrom = useRef<HTMLElement>(null);
  const openedIn = useRef<HTMLElement>(null);
  const memory = loaded(useMemory(opened?.id ?? ''));
  const { toggleLike, save } = useMemoryActions();
  const deleteMemory = useMemoryTrash();
  const { share } = useSharing();
  const { place, previous, next } = neighborsOf(list, opened?.id ?? '', opened?.place ?? 0);
  // Remembered for when it leaves the list.
  if (opened && opened.place !== place) setOpened({ ...opened, place });
  const previousMemory = useNeighbor(list, previous);
  const nextMemory = useNeighbor(list, next);
  usePrefetchedPictures(opened?.isOpen ? [previousMemory, nextMemory] : []);

  const open = (memory: Memory, opener: HTMLElement, edit: MemoryEdit | null) => {
    openedFrom.current = opener;
    openedIn.current = listAround(opener);
    setOpened({ ...justOpened, id: memory.id, edit, place: placeOf(opener) - 1 });
  };
  const close = () => {
    leaveEdit();
    const opener = openedFrom.current;
    // They walked on, or an edit has taken it out of what was searched for.
    if (!opener?.isConnected || placeOf(opener) !== place + 1)
      returnFocusTo(findStandIn(place + 1, openedIn.current));
    // Stays until its closing has been seen.
    setOpened((now) => now && { ...now, isOpen: false, pending: null });
  };
  const setPending = (pending: number | null) => setOpened((now) => now && { ...now, pending });
  const goTo = (place: number) => {
    const id = list.at(place);
    if (id !== undefined) {
      leaveEdit();
      setOpened({ id, isOpen: true, edit: null, place, isNavigatedTo: true, pending: null });
    } else {
      setPending(place);
    }
    list.reveal(place);
  };
  usePendingNavigation(list, opened?.pending ?? null, { onLoaded: goTo, onFailed: () => setPending(null) });
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
        isNavigatedTo: opened.isNavigatedTo,
        isNavigating: opened.pending !== null,
        place,
        onEdit: () => setEdit(editWithDraft(memory)),
        onSave: saveWords,
        onCancelEdit: endEdit,
        onLike: () => toggleLike(memory),
        onShare: () => void share(memory),
        onDelete: () => deleteOpen(memory),
        onClose: close,
        onPrevious: previous === null ? null : () => goTo(previous),
        onNext: next === null ? null : () => goTo(next),
        previous: previousMemory,
        next: nextMemory,
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

function loaded(memory: LoadedMemory): Memory | undefined {
  return memory !== null && memory !== 'loading' && 'id' in memory ? memory : undefined;
}

/** @returns null where there is none, undefined while it is not loaded */
function useNeighbor(list: NavigableList, place: number | null): Memory | null | undefined {
  const memory = loaded(useMemory(place === null ? '' : (list.at(place) ?? '')));
  return place === null ? null : memory;
}

/** Fetches the pictures that are likely to be opened next, in the width in which they will be shown. */
function usePrefetchedPictures(memories: (Memory | null | undefined)[]): void {
  const pictures = JSON.stringify(
    memories.flatMap((memory) => (memory ? [[memory.imageUrl, photoSizes(memory)]] : [])),
  );
  useEffect(() => {
    for (const [imageUrl, sizes] of JSON.parse(pictures) as [string, string][]) {
      const image = new Image();
      image.fetchPriority = 'low';
      image.sizes = sizes;
      image.srcset = variantsOf(imageUrl).srcSet;
    }
  }, [pictures]);
}

interface PendingNavigationOptions {
  onLoaded: (place: number) => void;
  onFailed: () => void;
}

/** Goes on to a place as soon as it is loaded, or says that it could not be loaded. */
function usePendingNavigation(
  list: NavigableList,
  pending: number | null,
  { onLoaded, onFailed }: PendingNavigationOptions,
): void {
  const isLoaded = pending !== null && list.at(pending) !== undefined;
  const goOn = useEffectEvent(() => pending !== null && onLoaded(pending));
  useEffect(() => {
    if (isLoaded) goOn();
  }, [isLoaded]);

  const hasFailed = list.failure !== null;
  const giveUp = useEffectEvent(() => {
    if (pending === null) return;
    onFailed();
    showFailure(list.failure, 'Failed to load memories', 'Please check your connection and try again.', {
      showsServerMessage: false,
    });
  });
  useEffect(() => {
    if (hasFailed) giveUp();
  }, [hasFailed]);
}

/**
 * Loving and editing, with their notices. By promises: the callbacks of `mutate` are forgotten as soon as another
 * change follows.
 */
function useMemoryActions() {
  const { mutateAsync } = useUpdateMemory();
  const toggleLike = ({ id, isLiked }: Memory) => {
    mutateAsync({ id, changes: { isLiked: !isLiked } }).catch(showUpdateFailure);
  };
  const save = ({ id }: Memory, changes: MemoryChanges, onFailed: () => void) => {
    mutateAsync({ id, changes }).then(showSuccess, (error: unknown) => {
      onFailed();
      showUpdateFailure(error);
    });
  };
  return { toggleLike, save };
}

function showSuccess(): void {
  showToast({
    title: 'Memory Updated',
    description: 'Your memory has been successfully updated!',
    variant: 'success',
  });
}

function showUpdateFailure(error: unknown): void {
  showFailure(error, 'Error', 'Failed to update memory', { showsServerMessage: false });
}
