import { Button } from '../../../ui/button.tsx';
import { usePets } from '../../pets/pet-api.ts';
import { wordsOf, type MemoryEdit } from './memory-changes.ts';
import { MemoryFields } from '../form/memory-fields.tsx';
import { petChoice, useMemoryForm, type MemoryWords } from '../form/memory-form.ts';

interface MemoryEditFormProps {
  edit: MemoryEdit;
  onSave: (words: MemoryWords) => void;
  onCancel: () => void;
}

export function MemoryEditForm({ edit, onSave, onCancel }: MemoryEditFormProps) {
  const { memoryTime: timeBefore, petId: petBefore } = wordsOf(edit.before);
  const form = useMemoryForm(edit.words, timeBefore);
  const { data: pets } = usePets();
  const save = (words: MemoryWords) => onSave({ ...words, petId: petChoice(words.petId, pets, petBefore) });
  return (
    <form onSubmit={form.handleSubmit(save)} noValidate className="space-y-5">
      <MemoryFields form={form} noPet="No pet" petBefore={petBefore} />
      <div className="flex flex-wrap gap-3">
        <Button type="submit">Save</Button>
        <Button variant="secondary" onClick={onCancel}>
          Cancel
        </Button>
      </div>
    </form>
  );
}
