import { zodResolver } from '@hookform/resolvers/zod';
import { useEffect, useState } from 'react';
import { useForm, type UseFormReturn } from 'react-hook-form';
import * as z from 'zod/mini';
import { MemoryDate } from '#shared/calendar-date';
import { claimUploadDraft } from '../uploads/upload-draft-api.ts';

/** What is written about a memory before its photo is chosen. */
const Draft = z.object({
  caption: z.string(),
  /** Separated by commas. */
  tags: z.string(),
  memoryDate: z.string(),
  /** `HH:mm`; means nothing without a date. */
  memoryTime: z.string(),
});

/** Everything may stay empty. */
const AddMemoryValues = z
  .extend(Draft, {
    memoryDate: z.union([z.literal(''), MemoryDate], { error: 'Please enter a date that exists' }),
  })
  .check(
    z.refine(({ memoryDate, memoryTime }) => memoryTime === '' || memoryDate !== '', {
      error: 'A time needs its day: please enter the date too, or clear the time',
      path: ['memoryDate'],
    }),
  );
export type AddMemoryValues = z.infer<typeof AddMemoryValues>;

/** Lives outside the dialog, so that the values outlive it while the photo is being chosen. */
export function useAddMemoryForm(ownerId: string, isOpen: boolean) {
  const form = useForm<AddMemoryValues>({
    resolver: zodResolver(AddMemoryValues),
    defaultValues: { caption: '', tags: '', memoryDate: '', memoryTime: '' },
  });
  return { form, isRestored: useKeptDraft(form, ownerId, isOpen) };
}

/** While the form is open, what is written is kept in the browser; @returns whether it was restored from there. */
function useKeptDraft(form: UseFormReturn<AddMemoryValues>, ownerId: string, isOpen: boolean): boolean {
  const [isRestored, setIsRestored] = useState(false);
  useEffect(() => {
    if (!isOpen) return undefined;
    let hasEnded = false;
    let end = () => {};
    void claimUploadDraft(ownerId).then((draft) => {
      if (hasEnded || !draft) return draft?.release();
      const restored = Draft.safeParse(draft.read());
      if (restored.success && isEmpty(form.getValues())) {
        form.reset(restored.data, { keepDefaultValues: true });
        setIsRestored(true);
      }
      const save = (values: AddMemoryValues) => draft.write(isEmpty(values) ? null : values);
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

function isEmpty(values: AddMemoryValues): boolean {
  return Object.values(values).every((value) => value === '');
}

/** The values as the server takes them: the time is part of the date. */
export function memoryDetails({ memoryDate, memoryTime, ...details }: AddMemoryValues) {
  return { ...details, memoryDate: memoryTime ? `${memoryDate}T${memoryTime}` : memoryDate };
}
