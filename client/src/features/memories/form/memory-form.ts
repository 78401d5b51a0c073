import { zodResolver } from '@hookform/resolvers/zod';
import { useForm } from 'react-hook-form';
import * as z from 'zod/mini';
import { isCalendarDate } from '#shared/calendar-date';
import type { Pet } from '#shared/pet';
import { rejectIncompleteDates } from '../../../lib/form-fields.ts';

/** A memory's form values; an empty string means none. */
export const MemoryFormValues = z.object({
  caption: z.string(),
  /** Separated by commas. */
  tags: z.string(),
  petId: z.string(),
  /** `YYYY-MM-DD` */
  memoryDate: z.string(),
  /** `HH:mm`; means nothing without a date. */
  memoryTime: z.string(),
});
export type MemoryFormValues = z.infer<typeof MemoryFormValues>;

export const EMPTY_FORM_VALUES: MemoryFormValues = {
  caption: '',
  tags: '',
  petId: '',
  memoryDate: '',
  memoryTime: '',
};

/**
 * The form in which a memory is described, new or not. Everything may stay empty.
 * @param timeBefore the time that the memory has: it goes with its day, while one that was just written needs a day
 */
export function useMemoryForm(defaultValues: MemoryFormValues, timeBefore = '') {
  const rules = z
    .extend(MemoryFormValues, {
      memoryDate: z
        .string()
        .check(z.refine((day) => day === '' || isCalendarDate(day), 'Please enter a valid date')),
    })
    .check(
      z.refine(
        ({ memoryDate, memoryTime }) => memoryDate !== '' || memoryTime === '' || memoryTime === timeBefore,
        {
          error: 'Please enter a date as well, or clear the time',
          path: ['memoryDate'],
        },
      ),
    );
  return useForm<MemoryFormValues>({
    resolver: rejectIncompleteDates(zodResolver(rules)),
    defaultValues,
  });
}

/** The chosen pet's id. One that was deleted meanwhile is no choice: it is then as it was before. */
export function petChoice(petId: string, pets: Pet[] | undefined, before: string): string {
  const isThere = petId === '' || !pets || pets.some(({ id }) => id === petId);
  return isThere ? petId : before;
}
