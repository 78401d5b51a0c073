import { useState } from 'react';
import { useDraftOf } from '../../../lib/form-drafts.ts';
import { Button } from '../../../ui/button.tsx';
import { RestoredDraft } from '../../../ui/draft-notices.tsx';
import { usePets } from '../../pets/pet-api.ts';
import { changesIn, wordsOf, type MemoryEdit } from './memory-changes.ts';
import { MemoryFields } from '../form/memory-fields.tsx';
import { petChoice, useMemoryForm, type MemoryWords } from '../form/memory-form.ts';

interface MemoryEditFormProps {
  edit: MemoryEdit;
  /** Of what is typed and not saved. */
  draftKey: string;
  onSave: (words: MemoryWords) => void;
  onCancel: () => void;
}

export function MemoryEditForm({ edit, draftKey, onSave, onCancel }: MemoryEditFormProps) {
  const [before] = useState(() => wordsOf(edit.before));
  const { memoryTime: timeBefore, petId: petBefore } = before;
  const [isRestored] = useState(() => changesIn(edit) !== null);
  const form = useMemoryForm(edit.words, timeBefore);
  useDraftOf(draftKey, form, before);
  const { data: pets } = usePets();
  const save = (words: MemoryWords) => onSave({ ...words, petId: petChoice(words.petId, pets, petBefore) });
  return (
    <form onSubmit={form.handleSubmit(save)} noValidate className="space-y-5">
      {isRestored && <RestoredDraft />}
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
