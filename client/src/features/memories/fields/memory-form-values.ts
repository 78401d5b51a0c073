import * as z from 'zod/mini';
import type { Pet } from '#shared/album/pet';
import { INVALID_DATE, isCalendarDate } from '#shared/dates/calendar-date';
import { useZodForm } from '../../../lib/use-zod-form.ts';

/** A memory's form values; an empty string means none. */
export const MemoryFormValues = z.object({
  caption: z.string(),
  /** Separated by commas. */
  tags: z.string(),
  petId: z.string(),
  /** `YYYY-MM-DD` */
  memoryDate: z.string(),
  /** `HH:mm`; requires a date. */
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

/** @param currentTime of the memory: clearing the date removes it too, while a new time requires a date */
export function useMemoryForm(defaultValues: MemoryFormValues, currentTime = '') {
  const rules = z
    .extend(MemoryFormValues, {
      memoryDate: z.string().check(z.refine((day) => day === '' || isCalendarDate(day), INVALID_DATE)),
    })
    .check(
      z.refine(
        ({ memoryDate, memoryTime }) => memoryDate !== '' || memoryTime === '' || memoryTime === currentTime,
        {
          error: 'Please enter a date as well, or clear the time',
          path: ['memoryDate'],
        },
      ),
    );
  return useZodForm(rules, defaultValues).form;
}

/** The chosen pet's id, or the previous one if the chosen pet has been deleted. */
export function resolvePetId(petId: string, pets: Pet[] | undefined, previousId: string): string {
  const exists = petId === '' || !pets || pets.some(({ id }) => id === petId);
  return exists ? petId : previousId;
}
