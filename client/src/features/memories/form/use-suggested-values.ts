import { useEffect, useState } from 'react';
import { splitMemoryDate, type MemoryDate } from '#shared/dates/calendar-date';
import { chooseMemoryDate } from '#shared/dates/memory-date';
import { usePets } from '../../pets/pet-api.ts';
import { readPhotoFacts } from '../../uploads/photo-facts.ts';
import type { MemoryFormValues } from '../fields/memory-form-values.ts';

export type SuggestedValues = Pick<MemoryFormValues, 'petId' | 'memoryDate' | 'memoryTime'>;

export const NO_SUGGESTIONS: SuggestedValues = { petId: '', memoryDate: '', memoryTime: '' };

/** The pet that the page is about, else the only one; the date of the chosen photo. */
export function useSuggestedValues(pagePetId: string, file: File | null): SuggestedValues {
  const { data: pets = [] } = usePets();
  const onlyPetId = pets.length === 1 ? pets[0]?.id : undefined;
  const petId = pets.some(({ id }) => id === pagePetId) ? pagePetId : (onlyPetId ?? '');
  const date = usePhotoDate(file);
  const { day = '', time = null } = date === null ? {} : splitMemoryDate(date);
  return { petId, memoryDate: day, memoryTime: time ?? '' };
}

function usePhotoDate(file: File | null): MemoryDate | null {
  const [dated, setDated] = useState<{ file: File; date: MemoryDate | null } | null>(null);
  useEffect(() => {
    if (!file) return undefined;
    let isGone = false;
    void readPhotoFacts(file, file.type)
      .catch(() => ({ takenAt: null }))
      .then(({ takenAt }) => {
        const date = chooseMemoryDate({ exif: takenAt, fileName: file.name })?.date ?? null;
        if (!isGone) setDated({ file, date });
      });
    return () => {
      isGone = true;
    };
  }, [file]);
  return file && dated?.file === file ? dated.date : null;
}
