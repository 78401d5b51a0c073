import { useQueries, useQueryClient } from '@tanstack/react-query';
import { Check } from 'lucide-react';
import type { Memory } from '#shared/album/memory';
import type { Pet } from '#shared/album/pet';
import { classNames } from '../../../lib/class-names.ts';
import { squarePhotoSizes } from '../../../lib/image-sources.ts';
import { imageDescription } from '../../memories/memory-text.ts';
import { Photo } from '../../photos/photo.tsx';
import { isLoadedMemory, memoryQuery } from '../../memories/store/memory-store.ts';
import { RadioCards } from '../../../ui/forms/radio-group.tsx';

interface PhotoPickerProps {
  ids: string[];
  pets: Pet[];
  chosenId: string | undefined;
  onChoose: (memory: Memory) => void;
  legendId: string;
}

export function PhotoPicker({ ids, pets, chosenId, onChoose, legendId }: PhotoPickerProps) {
  const client = useQueryClient();
  const photos = useQueries({ queries: ids.map((id) => memoryQuery(client, id)) }).flatMap(({ data }) =>
    data && isLoadedMemory(data) ? [data] : [],
  );
  return (
    <RadioCards
      labelledBy={legendId}
      value={chosenId}
      onChoose={(id) => onChoose(photos.find((memory) => memory.id === id)!)}
      className={classNames(
        columnsFor(ids.length),
        '-m-2 grid snap-x scroll-px-2 auto-cols-24 grid-flow-col grid-rows-[repeat(2,auto)] gap-2.5 overflow-x-auto p-2 max-lg:-mx-5 max-lg:scroll-px-5 max-lg:px-5 sm:max-lg:-mx-8 sm:max-lg:px-8 lg:max-h-100 lg:auto-cols-auto lg:grid-flow-row lg:grid-rows-none lg:overflow-x-hidden lg:overflow-y-auto',
      )}
      choiceClassName="group block snap-start rounded-print bg-print p-1.5 shadow-print transition-[translate,box-shadow] duration-200 ease-gentle hover:-translate-y-0.5 has-checked:-translate-y-0.5 has-checked:shadow-lifted has-checked:ring-3 has-checked:ring-accent has-focus-visible:outline-offset-5"
      choices={photos.map((memory) => ({
        value: memory.id,
        title: imageDescription(
          memory,
          pets.find(({ id }) => id === memory.petId),
        ),
        content: (
          <>
            <Photo
              photo={memory}
              description=""
              sizes={`(min-width: 1024px) ${squarePhotoSizes(memory, 120)}, ${squarePhotoSizes(memory, 96)}`}
              className="aspect-square rounded-[2px]"
            />
            {memory.id === chosenId && (
              <span className="absolute top-2.5 right-2.5 grid size-6 animate-fade-in place-items-center rounded-full bg-accent text-on-accent">
                <Check className="size-4 stroke-[2.5]" />
              </span>
            )}
          </>
        ),
      }))}
    />
  );
}

function columnsFor(count: number): string {
  if (count <= 6) return 'lg:grid-cols-3';
  return count <= 8 ? 'lg:grid-cols-4' : 'lg:grid-cols-5';
}
