import { zodResolver } from '@hookform/resolvers/zod';
import { useForm } from 'react-hook-form';
import * as z from 'zod/mini';
import { MemoryDate } from '#shared/calendar-date';

/** What is written about a memory before its photo is chosen. Everything may stay empty. */
const AddMemoryValues = z
  .object({
    caption: z.string(),
    /** Separated by commas. */
    tags: z.string(),
    memoryDate: z.union([z.literal(''), MemoryDate], { error: 'Please enter a date that exists' }),
    /** `HH:mm`; means nothing without a date. */
    memoryTime: z.string(),
  })
  .check(
    z.refine(({ memoryDate, memoryTime }) => memoryTime === '' || memoryDate !== '', {
      error: 'A time needs its day: please enter the date too, or clear the time',
      path: ['memoryDate'],
    }),
  );
export type AddMemoryValues = z.infer<typeof AddMemoryValues>;

/** Lives outside the dialog, so that the values outlive it while the photo is being chosen. */
export function useAddMemoryForm() {
  return useForm<AddMemoryValues>({
    resolver: zodResolver(AddMemoryValues),
    defaultValues: { caption: '', tags: '', memoryDate: '', memoryTime: '' },
  });
}

/** The values as the server takes them: the time is part of the date. */
export function memoryDetails({ memoryDate, memoryTime, ...details }: AddMemoryValues) {
  return { ...details, memoryDate: memoryTime ? `${memoryDate}T${memoryTime}` : memoryDate };
}
