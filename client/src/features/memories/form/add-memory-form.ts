import { useEffect, useState } from 'react';
import type { UseFormReturn } from 'react-hook-form';
import type { CompleteUploadRequest } from '#shared/memory';
import type { Pet } from '#shared/pet';
import { claimUploadDraft } from '../../uploads/upload-session-api.ts';
import { MemoryWords, NO_WORDS, petChoice, useMemoryForm } from './memory-form.ts';

/** Lives outside the dialog, so that the values outlive it while the photo is being chosen. */
export function useAddMemoryForm(ownerId: string, isOpen: boolean) {
  const form = useMemoryForm(NO_WORDS);
  return { form, isRestored: useKeptDraft(form, ownerId, isOpen) };
}

/** While the form is open, what is written is kept in the browser; @returns whether it was restored from there. */
function useKeptDraft(form: UseFormReturn<MemoryWords>, ownerId: string, isOpen: boolean): boolean {
  const [isRestored, setIsRestored] = useState(false);
  useEffect(() => {
    if (!isOpen) return undefined;
    let hasEnded = false;
    let end = () => {};
    void claimUploadDraft(ownerId).then((draft) => {
      if (hasEnded || !draft) return draft?.release();
      const restored = MemoryWords.safeParse(draft.read());
      if (restored.success && isEmpty(form.getValues())) {
        form.reset(restored.data, { keepDefaultValues: true });
        setIsRestored(true);
      }
      const save = (words: MemoryWords) => draft.write(isEmpty(words) ? null : words);
      save(form.getValues());
      const stopSaving = form.subscribe({
        formState: { values: true },
        callback: ({ values }) => save(values),
      });
      end = () => {
        stopSaving();
        draft.release();
        setIsRestored(false);
      };
    });
    return () => {
      hasEnded = true;
      end();
    };
  }, [form, ownerId, isOpen]);
  return isRestored;
}

function isEmpty(words: MemoryWords): boolean {
  return Object.values(words).every((text) => text === '');
}

/** The words as the server takes them: the time is part of the date. */
export function memoryDetails(
  { memoryDate, memoryTime, petId, ...details }: MemoryWords,
  pets: Pet[] | undefined,
): Omit<CompleteUploadRequest, 'uploadURL'> {
  return {
    ...details,
    petId: petChoice(petId, pets, ''),
    memoryDate: memoryTime ? `${memoryDate}T${memoryTime}` : memoryDate,
  };
}
