import { zodResolver } from '@hookform/resolvers/zod';
import { useForm } from 'react-hook-form';
import * as z from 'zod/mini';
import { MemoryDate } from '#shared/calendar-date';

/** What is written about a memory before its photo is chosen. Everything may stay empty. */
const AddMemoryValues = z.object({
  caption: z.string(),
  /** Separated by commas. */
  tags: z.string(),
  memoryDate: z.union([z.literal(''), MemoryDate], { error: 'Please enter a date that exists' }),
});
export type AddMemoryValues = z.infer<typeof AddMemoryValues>;

/** Lives outside the dialog, so that the values outlive it while the photo is being chosen. */
export function useAddMemoryForm() {
  return useForm<AddMemoryValues>({
    resolver: zodResolver(AddMemoryValues),
    defaultValues: { caption: '', tags: '', memoryDate: '' },
  });
}
