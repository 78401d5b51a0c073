import { useEffect, useEffectEvent, useState } from 'react';
import type { Memory } from '#shared/memory';
import { discardDraft, hasDraft, applyDraft, writeDraft, showDraftSaved } from '../../drafts/form-drafts.tsx';
import { positionInList, returnFocusToPosition } from '../../../ui/focus.ts';
import { toImageSources } from '../../photos/photo.tsx';
import { showError } from '../../../ui/show-error.ts';
import { changesIn, editOf, toFormValues, type MemoryEdit } from './memory-changes.ts';
import type { MemoryFormValues } from '../form/memory-form.ts';
import { useMemory, type LoadedMemory } from '../store/memory-store.ts';
import { neighborsOf, type NavigableList } from './lightbox-navigation.ts';
import { useMemoryTrash } from '../trash/use-memory-trash.ts';
import { photoSizes } from './photo-place.tsx';
import { useMemoryUpdates, useSharing } from './memory-actions.ts';

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

/** Which memory of a list lies open in the dialog, what can be done with it there, and the way to its neighbors. */
export function useOpenMemory(list: NavigableList) {
  const [opened, setOpened] = useState<OpenMemory | null>(null);
  const memory = loaded(useMemory(opened?.id ?? ''));
  const { toggleLike, save } = useMemoryUpdates();
  const share = useSharing();
  const { place, previous, next } = neighborsOf(list, opened?.id ?? '', opened?.place ?? 0);
  // Remembered for when it leaves the list.
  if (opened && opened.place !== place) setOpened({ ...opened, place });
  const previousMemory = useNeighbor(list, previous);
  const nextMemory = useNeighbor(list, next);
  usePrefetchedPictures(opened?.isOpen ? [previousMemory, nextMemory] : []);

  const update = (changes: Partial<OpenMemory>) => setOpened((now) => now && { ...now, ...changes });
  const open = (memory: Memory, opener: HTMLElement, edit: MemoryEdit | null) => {
    const place = positionInList(opener) - 1;
    setOpened({ id: memory.id, isOpen: true, edit, place, isNavigatedTo: false, pending: null });
  };
  const close = () => {
    leaveEdit();
    // They may have gone to another one, or an edit has taken it out of what was searched for.
    returnFocusToPosition(place + 1);
    // Stays until its closing has been seen.
    update({ isOpen: false, pending: null });
  };
  const goTo = (place: number) => {
    const id = list.at(place);
    if (id !== undefined) {
      leaveEdit();
      setOpened({ id, isOpen: true, edit: null, place, isNavigatedTo: true, pending: null });
    } else {
      update({ pending: place });
    }
    list.reveal(place);
  };
  usePendingNavigation(list, opened?.pending ?? null, {
    onLoaded: goTo,
    onFailed: () => update({ pending: null }),
  });
  const saveEdit = (values: MemoryFormValues) => {
    if (!memory || !opened?.edit) return;
    const edit = { ...opened.edit, values };
    const changes = changesIn(edit);
    endEdit();
    if (!changes) return;
    // A failure gives back what was written: to the form if the memory still lies open, else to the next one.
    save(memory, changes, () => {
      if (!hasDraft(draftKeyOf(memory))) writeDraft(draftKeyOf(memory), toFormValues(edit.before), values);
      setOpened((now) => resume(now, memory.id, edit));
    });
  };
  const endEdit = () => {
    if (memory) discardDraft(draftKeyOf(memory));
    update({ edit: null });
  };
  const leaveEdit = () => {
    if (memory && opened?.edit && hasDraft(draftKeyOf(memory))) showDraftSaved();
  };

  const actions = {
    /** Given the button, which gets the focus back. */
    open: (memory: Memory, opener: HTMLElement) => open(memory, opener, null),
    edit: (memory: Memory, opener: HTMLElement) => open(memory, opener, editWithDraft(memory)),
    toggleLike,
    remove: useMemoryTrash(),
    share,
  };
  const dialog = memory &&
    opened && {
      memory,
      isOpen: opened.isOpen,
      /** Null while the memory is only looked at. */
      edit: opened.edit,
      /** Of what was typed about it and not saved. */
      draftKey: draftKeyOf(memory),
      /** Then it is announced to screen readers. */
      isNavigatedTo: opened.isNavigatedTo,
      /** The next or the previous one was asked for and is being loaded. */
      isNavigating: opened.pending !== null,
      /** In its list; counts from 0. */
      place,
      onEdit: () => update({ edit: editWithDraft(memory) }),
      onSave: saveEdit,
      onCancelEdit: endEdit,
      onLike: () => toggleLike(memory),
      onShare: () => share(memory),
      onDelete: () => {
        close();
        actions.remove(memory);
      },
      onClose: close,
      /** Null where there is none. */
      onPrevious: previous === null ? null : () => goTo(previous),
      onNext: next === null ? null : () => goTo(next),
      /** Null where there is none, undefined while it is not loaded. */
      previous: previousMemory,
      next: nextMemory,
    };
  return { actions, dialog };
}

export type MemoryActions = ReturnType<typeof useOpenMemory>['actions'];
export type MemoryDialogProps = NonNullable<ReturnType<typeof useOpenMemory>['dialog']>;

/** Of what was typed about a memory and not saved. */
function draftKeyOf({ id }: Memory): string {
  return `memory:${id}`;
}

/** Goes on with what was typed before. */
function editWithDraft(memory: Memory): MemoryEdit {
  const edit = editOf(memory);
  return { ...edit, values: applyDraft(draftKeyOf(memory), edit.values) };
}

/** An edit that was begun since goes on, but what the failed one changed is not saved yet. */
function resume(now: OpenMemory | null, id: string, failed: MemoryEdit): OpenMemory | null {
  if (!now?.isOpen || now.id !== id) return now;
  return { ...now, edit: { values: failed.values, ...now.edit, before: failed.before } };
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
      image.srcset = toImageSources(imageUrl).srcSet;
    }
  }, [pictures]);
}

/** Goes on to a place as soon as it is loaded, or says that it could not be loaded. */
function usePendingNavigation(
  list: NavigableList,
  pending: number | null,
  { onLoaded, onFailed }: { onLoaded: (place: number) => void; onFailed: () => void },
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
    showError(list.failure, 'Failed to load memories', 'Please check your connection and try again.', {
      showsServerMessage: false,
    });
  });
  useEffect(() => {
    if (hasFailed) giveUp();
  }, [hasFailed]);
}
