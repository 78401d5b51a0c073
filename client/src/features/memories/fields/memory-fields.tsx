import { useController, type UseFormReturn } from 'react-hook-form';
import { Link } from 'wouter';
import { bindFields } from '../../../lib/form-fields.ts';
import { paths } from '../../../lib/routing/paths.ts';
import { toPetOption } from '../../pets/species.ts';
import { Button } from '../../../ui/buttons/button.tsx';
import { TextAreaField, TextField } from '../../../ui/forms/field.tsx';
import { SelectField } from '../../../ui/forms/select-field.tsx';
import { usePets } from '../../pets/pet-api.ts';
import { resolvePetId, type MemoryFormValues } from './memory-form-values.ts';

interface MemoryFieldsProps {
  form: UseFormReturn<MemoryFormValues>;
  noPet?: string;
  currentPetId?: string;
}

export function MemoryFields({
  form,
  noPet = 'Select a pet (optional)',
  currentPetId = '',
}: MemoryFieldsProps) {
  const field = bindFields(form);
  return (
    <>
      <TextAreaField
        label="Caption"
        rows={3}
        dir="auto"
        autoFocus
        placeholder="Share the story behind this moment..."
        {...field('caption')}
      />
      <TextField
        label="Tags"
        note="separated by commas"
        dir="auto"
        autoCapitalize="none"
        placeholder="e.g., summer, birthday, beach"
        {...field('tags')}
      />
      <PetField form={form} noPet={noPet} currentPetId={currentPetId} />
      <div className="grid grid-cols-[3fr_2fr] items-start gap-4">
        <TextField label="Memory Date" type="date" max="9999-12-31" {...field('memoryDate')} />
        <TextField label="Time" note="optional" type="time" {...field('memoryTime')} />
      </div>
    </>
  );
}

function PetField({ form: { control }, noPet, currentPetId }: Required<MemoryFieldsProps>) {
  const { field } = useController({ control, name: 'petId' });
  const { data: pets, isError, isFetching, refetch } = usePets();
  if (!pets) return isError && <PetsError onRetry={() => void refetch()} isRetrying={isFetching} />;
  return (
    <div>
      <SelectField
        label="Pet"
        placeholder={noPet}
        options={pets.map(toPetOption)}
        {...field}
        value={resolvePetId(field.value, pets, currentPetId)}
      />
      {pets.length === 0 && (
        <p className="mt-1 text-small text-muted">
          No pets yet.{' '}
          <Link
            href={paths.pets}
            // A touch target of full height that does not change the line height.
            className="-my-3 inline-block py-3 font-semibold text-ink underline decoration-hairline decoration-2 underline-offset-4 hover:decoration-accent"
          >
            Add your first pet
          </Link>
        </p>
      )}
    </div>
  );
}

function PetsError({ onRetry, isRetrying }: { onRetry: () => void; isRetrying: boolean }) {
  return (
    <div role="alert" className="flex flex-wrap items-center gap-x-3 text-small">
      <p>Your pets could not be loaded.</p>
      <Button
        variant="quiet"
        size="small"
        className="px-0"
        onClick={onRetry}
        isPending={isRetrying}
        pendingText="Trying again..."
      >
        Try again
      </Button>
    </div>
  );
}
